#pragma once

#include "base/result.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace faultline::serve {

// Whether a caller may be given the old value while a new one is being made. Values that are
// derived and cached under a version need exactly that version.
enum class Freshness { old_will_do, exact };

// A value that is made when it is first needed, and again when its version changes. One thread
// makes it; the others get the old one if that is allowed, or wait.
template <typename T> class Cached {
public:
  using Make = std::function<Result<T>()>;

  Result<std::shared_ptr<const T>>
  get(const std::string& version, Freshness freshness, const Make& make)
  {
    if (const std::shared_ptr<const T> known = find(version)) {
      return known;
    }
    std::unique_lock making(m_making, std::try_to_lock);
    if (!making) {
      const std::shared_ptr<const T> old = find("");
      if (old && freshness == Freshness::old_will_do) {
        return old;
      }
      making.lock();
      if (const std::shared_ptr<const T> made = find(version)) {
        return made;
      }
    }
    FL_TRY(T value, make());
    const std::lock_guard lock(m_mutex);
    m_value = std::make_shared<const T>(std::move(value));
    m_version = version;
    return m_value;
  }

private:
  // The value of this version; of any version if it is empty.
  std::shared_ptr<const T> find(const std::string& version) const
  {
    const std::lock_guard lock(m_mutex);
    return version.empty() || version == m_version ? m_value : nullptr;
  }

  std::mutex m_making;
  mutable std::mutex m_mutex;
  std::string m_version;
  std::shared_ptr<const T> m_value;
};

// One of these for each key. Beyond a number of keys, the least recently used is dropped.
template <typename T> class CachedByKey {
public:
  explicit CachedByKey(size_t most) : m_most(most) {}

  Result<std::shared_ptr<const T>> get(const std::string& key,
                                       const std::string& version,
                                       Freshness freshness,
                                       const typename Cached<T>::Make& make)
  {
    return slot_of(key)->get(version, freshness, make);
  }

private:
  struct Slot {
    std::shared_ptr<Cached<T>> cached = std::make_shared<Cached<T>>();
    size_t asked = 0; // when it was last used
  };

  std::shared_ptr<Cached<T>> slot_of(const std::string& key)
  {
    const std::lock_guard lock(m_mutex);
    if (m_values.size() >= m_most && !m_values.contains(key)) {
      m_values.erase(std::ranges::min_element(
          m_values, {}, [](const auto& entry) { return entry.second.asked; }));
    }
    Slot& slot = m_values[key];
    slot.asked = ++m_clock;
    return slot.cached;
  }

  const size_t m_most;
  std::mutex m_mutex;
  std::map<std::string, Slot> m_values;
  size_t m_clock = 0;
};

} // namespace faultline::serve
