#pragma once

#include "base/sqlite.hpp"

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

namespace faultline::catalog {

// A connection with the statements by which the index is read. A statement must be reset after use:
// until then it holds on to the state of the file that it began with.
struct EntryReader {
  Database database;
  Statement summary; // ?1 number → text
  Statement id;      // ?1 number → id
  Statement by_id;   // ?1 id → number, folder
  Statement detail;  // ?1 id → gzip
  Statement nearby;  // ?1 id → ids before and after it

  static Result<std::unique_ptr<EntryReader>> open(const std::filesystem::path& path);
};

// A few connections that threads take turns with.
class EntryReaders {
public:
  EntryReaders(std::filesystem::path path, size_t most) : m_path(std::move(path)), m_most(most) {}

  // Gives the reader back when it goes out of scope, with its statements reset.
  class Borrowed {
  public:
    Borrowed(EntryReaders& owner, std::unique_ptr<EntryReader> reader)
        : m_owner(&owner), m_reader(std::move(reader))
    {
    }
    Borrowed(Borrowed&& other) noexcept = default;
    ~Borrowed();
    EntryReader* operator->() const { return m_reader.get(); }

  private:
    EntryReaders* m_owner;
    std::unique_ptr<EntryReader> m_reader;
  };

  Result<Borrowed> borrow();

private:
  std::filesystem::path m_path;
  const size_t m_most;
  std::mutex m_mutex;
  std::condition_variable m_returned;
  std::vector<std::unique_ptr<EntryReader>> m_free;
  size_t m_open = 0;
};

} // namespace faultline::catalog
