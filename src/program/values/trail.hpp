#pragma once

// Branches are executed one after the other on the same containers. A frame of the trail remembers
// what each container held before a branch touched it, so that the branch can be undone and the
// outcomes of all branches be joined.

#include "program/values/scope.hpp"
#include "program/values/value.hpp"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace faultline::program {

// The content of any container.
struct Content {
  std::map<std::string_view, Ref> names; // of a scope, class or instance
  std::vector<Ref> items;                // of a sequence or instance
  std::vector<std::pair<Ref, Ref>> pairs;
  bool open = false;
  Ref rest = nullptr;
  Device device = Device::top();
};

Content content_of(const Container& container);
void restore(Container& container, Content content);

using Contents = std::unordered_map<Container*, Content>;

class Trail {
public:
  // Call before any change of `container`.
  void touch(Container& container);

  void begin();
  // End the innermost frame, undo what happened in it, and give what the containers held at its
  // end.
  Contents undo();
  // End the innermost frame and keep what happened; what it saved goes to the frame around.
  // Gives what the containers held at its beginning.
  Contents commit();

private:
  struct Frame {
    uint32_t mark = 0;
    Contents saved;
  };
  std::vector<Frame> m_frames;
  uint32_t m_last_mark = 0;
};

} // namespace faultline::program
