#include "source/line_diff.hpp"

#include "base/result.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>

// E. W. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986), the
// variation that needs linear space: search from both ends at once until the searches meet in the
// middle of a shortest path, then do the same on either side of that point.
//
// N is the number of lines and D that of the differences. Two steps keep large files cheap. Lines
// that only one side has are set aside first: they belong to no common subsequence, so nothing is
// lost. And a search that needs more than about sqrt(N) rounds stops and splits at the farthest
// point it reached: that bounds the time by O(N sqrt(N)), but the result may not be the shortest.

namespace faultline::source {

namespace {

using Index = std::ptrdiff_t;

struct Box {
  Index old_begin;
  Index old_end;
  Index new_begin;
  Index new_end;
};

struct Point {
  Index x;
  Index y;
};

class Myers {
public:
  Myers(std::span<const uint32_t> before, std::span<const uint32_t> after)
      : removed(before.size()), added(after.size()), m_old(before), m_new(after),
        m_shift(static_cast<Index>(after.size()) + 1), m_forward(before.size() + after.size() + 3),
        m_backward(m_forward.size())
  {
    const double lines = static_cast<double>(before.size() + after.size());
    m_most_rounds = std::max<Index>(256, std::lround(std::sqrt(lines)));
  }

  void compare(Box box);

  std::vector<bool> removed;
  std::vector<bool> added;

private:
  Point find_split(const Box& box);
  Point farthest_point(const Box& box, Point forward_diagonals, Point backward_diagonals);
  bool is_equal(Index x, Index y) const { return m_old[x] == m_new[y]; }

  // The largest (forward) or smallest (backward) x reached so far on the diagonal x - y.
  Index& forward(Index diagonal) { return m_forward[diagonal + m_shift]; }
  Index& backward(Index diagonal) { return m_backward[diagonal + m_shift]; }

  std::span<const uint32_t> m_old;
  std::span<const uint32_t> m_new;
  Index m_shift;
  std::vector<Index> m_forward;
  std::vector<Index> m_backward;
  Index m_most_rounds = 0;
};

} // namespace

void Myers::compare(Box box)
{
  while (true) {
    while (box.old_begin < box.old_end && box.new_begin < box.new_end &&
           is_equal(box.old_begin, box.new_begin)) {
      ++box.old_begin;
      ++box.new_begin;
    }
    while (box.old_begin < box.old_end && box.new_begin < box.new_end &&
           is_equal(box.old_end - 1, box.new_end - 1)) {
      --box.old_end;
      --box.new_end;
    }
    if (box.old_begin == box.old_end || box.new_begin == box.new_end) {
      std::fill(removed.begin() + box.old_begin, removed.begin() + box.old_end, true);
      std::fill(added.begin() + box.new_begin, added.begin() + box.new_end, true);
      return;
    }
    const Point split = find_split(box);
    FL_ASSERT(split.x >= box.old_begin && split.x <= box.old_end && split.y >= box.new_begin &&
                  split.y <= box.new_end && split.x - box.old_begin + split.y - box.new_begin > 0 &&
                  box.old_end - split.x + box.new_end - split.y > 0,
              "a split leaves something on either side, so the work ends");
    compare({box.old_begin, split.x, box.new_begin, split.y});
    box.old_begin = split.x;
    box.new_begin = split.y;
  }
}

// A point that a shortest path through `box` goes through. Both sides of the box have lines, and
// neither its first nor its last lines agree.
Point Myers::find_split(const Box& box)
{
  constexpr Index k_unreached = std::numeric_limits<Index>::max();
  const Index lowest = box.old_begin - box.new_end;
  const Index highest = box.old_end - box.new_begin;
  const Index from = box.old_begin - box.new_begin;
  const Index to = box.old_end - box.new_end;
  const bool meets_going_forward = (from - to) % 2 != 0;
  Point ahead{from, from}; // the lowest and highest diagonal in reach of the search from the front
  Point behind{to, to};    // and of the one from the back
  forward(from) = box.old_begin;
  backward(to) = box.old_end;

  for (Index round = 1;; ++round) {
    // One more difference: a diagonal more on either side, or one less where the box ends.
    if (ahead.x > lowest) {
      forward(--ahead.x - 1) = -1;
    } else {
      ++ahead.x;
    }
    if (ahead.y < highest) {
      forward(++ahead.y + 1) = -1;
    } else {
      --ahead.y;
    }
    for (Index d = ahead.y; d >= ahead.x; d -= 2) {
      Index x = std::max(forward(d - 1) + 1, forward(d + 1));
      while (x < box.old_end && x - d < box.new_end && is_equal(x, x - d)) {
        ++x;
      }
      forward(d) = x;
      if (meets_going_forward && behind.x <= d && d <= behind.y && backward(d) <= x) {
        return {x, x - d};
      }
    }

    if (behind.x > lowest) {
      backward(--behind.x - 1) = k_unreached;
    } else {
      ++behind.x;
    }
    if (behind.y < highest) {
      backward(++behind.y + 1) = k_unreached;
    } else {
      --behind.y;
    }
    for (Index d = behind.y; d >= behind.x; d -= 2) {
      Index x = std::min(backward(d - 1), backward(d + 1) - 1);
      while (x > box.old_begin && x - d > box.new_begin && is_equal(x - 1, x - d - 1)) {
        --x;
      }
      backward(d) = x;
      if (!meets_going_forward && ahead.x <= d && d <= ahead.y && x <= forward(d)) {
        return {x, x - d};
      }
    }

    if (round >= m_most_rounds) {
      return farthest_point(box, ahead, behind);
    }
  }
}

// Where the better of the two unfinished searches got to, as far as that lies inside the box.
Point Myers::farthest_point(const Box& box, Point forward_diagonals, Point backward_diagonals)
{
  Point front{box.old_begin, box.new_begin};
  for (Index d = forward_diagonals.y; d >= forward_diagonals.x; d -= 2) {
    const Index x = std::min({forward(d), box.old_end, box.new_end + d});
    if (x + x - d > front.x + front.y) {
      front = {x, x - d};
    }
  }
  Point back{box.old_end, box.new_end};
  for (Index d = backward_diagonals.y; d >= backward_diagonals.x; d -= 2) {
    const Index x = std::max({backward(d), box.old_begin, box.new_begin + d});
    if (x + x - d < back.x + back.y) {
      back = {x, x - d};
    }
  }
  const Index front_progress = front.x + front.y - box.old_begin - box.new_begin;
  const Index back_progress = box.old_end + box.new_end - back.x - back.y;
  return front_progress >= back_progress ? front : back;
}

namespace {

// The same number for the same line, wherever it stands, so that comparing lines is cheap.
class LineIds {
public:
  std::vector<uint32_t> add(std::span<const std::string_view> lines)
  {
    std::vector<uint32_t> ids;
    ids.reserve(lines.size());
    for (const std::string_view line : lines) {
      ids.push_back(m_ids.try_emplace(line, static_cast<uint32_t>(m_ids.size())).first->second);
    }
    return ids;
  }

  size_t size() const { return m_ids.size(); }

private:
  std::unordered_map<std::string_view, uint32_t> m_ids;
};

// The lines of one side that the other side has too, and where they stood.
struct SharedLines {
  std::vector<uint32_t> ids;
  std::vector<size_t> positions;
};

} // namespace

static SharedLines
shared_lines(std::span<const uint32_t> ids, std::span<const uint32_t> other, size_t id_count)
{
  std::vector<bool> is_shared(id_count);
  for (const uint32_t id : other) {
    is_shared[id] = true;
  }
  SharedLines shared;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (is_shared[ids[i]]) {
      shared.ids.push_back(ids[i]);
      shared.positions.push_back(i);
    }
  }
  return shared;
}

// Marks for all lines of a side from the marks for its shared ones: a line of one side only is
// always removed or added.
static std::vector<bool>
marks_of_all(const std::vector<bool>& marks, const SharedLines& shared, size_t line_count)
{
  std::vector<bool> all(line_count, true);
  for (size_t i = 0; i < marks.size(); ++i) {
    all[shared.positions[i]] = marks[i];
  }
  return all;
}

std::vector<LineChange> line_diff(std::span<const std::string_view> before,
                                  std::span<const std::string_view> after)
{
  LineIds ids;
  const std::vector<uint32_t> old_ids = ids.add(before);
  const std::vector<uint32_t> new_ids = ids.add(after);
  const SharedLines old_shared = shared_lines(old_ids, new_ids, ids.size());
  const SharedLines new_shared = shared_lines(new_ids, old_ids, ids.size());
  Myers myers(old_shared.ids, new_shared.ids);
  myers.compare({0, std::ssize(old_shared.ids), 0, std::ssize(new_shared.ids)});
  const std::vector<bool> removed = marks_of_all(myers.removed, old_shared, before.size());
  const std::vector<bool> added = marks_of_all(myers.added, new_shared, after.size());

  std::vector<LineChange> changes;
  size_t i = 0;
  size_t j = 0;
  const auto add_run = [&](LineKind kind, size_t count) {
    if (count > 0) {
      changes.push_back({kind, i, j, count});
      i += kind == LineKind::added ? 0 : count;
      j += kind == LineKind::removed ? 0 : count;
    }
  };
  const auto run_length = [](const std::vector<bool>& marks, size_t from, bool value) {
    const auto begin = marks.begin() + static_cast<Index>(from);
    return static_cast<size_t>(std::find(begin, marks.end(), !value) - begin);
  };
  while (i < before.size() || j < after.size()) {
    add_run(LineKind::removed, run_length(removed, i, true));
    add_run(LineKind::added, run_length(added, j, true));
    add_run(LineKind::kept, std::min(run_length(removed, i, false), run_length(added, j, false)));
  }
  return changes;
}

std::vector<LineChange> line_diff(std::string_view before, std::string_view after)
{
  return line_diff(split_keeping_ends(before), split_keeping_ends(after));
}

} // namespace faultline::source
