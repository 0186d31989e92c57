#include "program/values/trail.hpp"

namespace faultline::program {

Content content_of(const Container& container)
{
  Content content;
  if (container.kind == Kind::sequence) {
    const auto& sequence = static_cast<const Sequence&>(container);
    content.items = sequence.items;
    content.open = sequence.open;
    content.rest = sequence.rest;
  } else if (container.kind == Kind::dict) {
    const auto& dict = static_cast<const Dict&>(container);
    content.pairs = dict.items;
    content.open = dict.open;
  } else if (container.kind == Kind::klass) {
    content.names = static_cast<const Class&>(container).attributes;
  } else if (container.kind == Kind::instance) {
    const auto& object = static_cast<const Instance&>(container);
    content.names = object.attributes;
    content.items = object.items;
    content.device = object.device;
  } else {
    content.names = static_cast<const Scope&>(container).names;
  }
  return content;
}

void restore(Container& container, Content content)
{
  if (container.kind == Kind::sequence) {
    auto& sequence = static_cast<Sequence&>(container);
    sequence.items = std::move(content.items);
    sequence.open = content.open;
    sequence.rest = content.rest;
  } else if (container.kind == Kind::dict) {
    auto& dict = static_cast<Dict&>(container);
    dict.items = std::move(content.pairs);
    dict.open = content.open;
  } else if (container.kind == Kind::klass) {
    static_cast<Class&>(container).attributes = std::move(content.names);
  } else if (container.kind == Kind::instance) {
    auto& object = static_cast<Instance&>(container);
    object.attributes = std::move(content.names);
    object.items = std::move(content.items);
    object.device = content.device;
  } else {
    static_cast<Scope&>(container).names = std::move(content.names);
  }
}

void Contents::add(Container& container, Content content)
{
  if (m_places.try_emplace(&container, m_held.size()).second) {
    m_held.emplace_back(&container, std::move(content));
  }
}

const Content* Contents::find(const Container* container) const
{
  const auto found = m_places.find(container);
  return found != m_places.end() ? &m_held[found->second].second : nullptr;
}

void Trail::touch(Container& container)
{
  if (m_frames.empty() || container.saved_at == m_frames.back().mark) {
    return;
  }
  m_frames.back().saved.add(container, content_of(container));
  container.saved_at = m_frames.back().mark;
}

void Trail::begin()
{
  m_frames.push_back({++m_last_mark, {}});
}

Contents Trail::undo()
{
  Frame frame = std::move(m_frames.back());
  m_frames.pop_back();
  Contents after;
  for (auto& [container, content] : frame.saved) {
    after.add(*container, content_of(*container));
    restore(*container, std::move(content));
    container->saved_at = 0;
  }
  return after;
}

Contents Trail::commit()
{
  Frame frame = std::move(m_frames.back());
  m_frames.pop_back();
  if (!m_frames.empty()) {
    for (const auto& [container, content] : frame.saved) {
      m_frames.back().saved.add(*container, content);
      container->saved_at = m_frames.back().mark;
    }
  }
  return std::move(frame.saved);
}

} // namespace faultline::program
