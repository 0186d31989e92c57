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

// What containers held, in the order in which they were added: an order by their addresses would
// join branches differently from one run to the next.
class Contents {
public:
  void add(Container& container, Content content);       // unless it is there
  const Content* find(const Container* container) const; // null if it is not there
  bool empty() const { return m_held.empty(); }
  auto begin() { return m_held.begin(); }
  auto end() { return m_held.end(); }
  auto begin() const { return m_held.begin(); }
  auto end() const { return m_held.end(); }

private:
  std::vector<std::pair<Container*, Content>> m_held;
  std::unordered_map<const Container*, size_t> m_places;
};

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
