#pragma once

// Writes the binary form of the stream.

#include "json.hpp"
#include "statistics.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace faultline_watch {

class Stream {
public:
  void open(int descriptor);
  bool is_open() const { return m_descriptor >= 0; }
  // In a child of the program: it writes nothing.
  void forget();

  void event(std::string_view kind, const Object& content);
  void step(uint32_t step, double loss, double rate, double accuracy, uint32_t samples);
  void tensor(uint32_t step, int layer, Role role, uint8_t slot, const Statistics& statistics);
  void flush();

private:
  template <typename T> void put(T value);
  void frame(char kind, size_t bytes);

  int m_descriptor = -1;
  std::string m_buffer;
  std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point m_flushed = m_began;
};

} // namespace faultline_watch
