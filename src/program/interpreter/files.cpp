#include "program/interpreter/files.hpp"

#include "base/text.hpp"
#include "program/interpreter/interpreter.hpp"
#include "program/interpreter/statements.hpp"

#include <filesystem>

namespace faultline::program {

// The folder of the main file and those above it, nearest first.
static std::vector<std::filesystem::path> folders_above(Interpreter& m)
{
  constexpr int k_most = 3;
  std::vector<std::filesystem::path> folders;
  std::filesystem::path folder =
      std::filesystem::path(m.program().units().front()->path).parent_path();
  for (int i = 0; i < k_most; ++i) {
    folders.push_back(folder);
    if (!folder.has_parent_path() || folder.parent_path() == folder) {
      break;
    }
    folder = folder.parent_path();
  }
  return folders;
}

void read_requirements(Interpreter& m)
{
  if (!m.read) {
    return;
  }
  for (const std::filesystem::path& folder : folders_above(m)) {
    for (const char* name : {"requirements.txt", "environment.yml"}) {
      if (const std::optional<std::string> text = m.read((folder / name).string())) {
        m.note_pins(parse_requirements(*text));
        return;
      }
    }
  }
}

Unit* find_unit(Interpreter& m, const std::string& module, uint32_t level)
{
  namespace fs = std::filesystem;
  if (!m.read) {
    return nullptr;
  }
  const std::string relative = replace_all(module, ".", "/");
  std::vector<fs::path> folders;
  fs::path folder = fs::path(m.unit->path).parent_path();
  if (level > 0) {
    for (uint32_t i = 1; i < level; ++i) {
      folder = folder.parent_path();
    }
    folders = {folder};
  } else {
    folders = {folder};
    const std::vector<fs::path> above = folders_above(m);
    folders.insert(folders.end(), above.begin(), above.end());
  }
  for (const fs::path& base : folders) {
    for (const char* ending : {".py", "/__init__.py"}) {
      if (relative.empty() && ending[0] == '.') {
        continue;
      }
      const std::string path =
          (relative.empty() ? base / "__init__.py" : base / (relative + ending))
              .lexically_normal()
              .string();
      if (const auto known = m.units_by_path.find(path); known != m.units_by_path.end()) {
        if (known->second != nullptr) {
          return known->second;
        }
        continue;
      }
      std::optional<std::string> text;
      if (m.program().units().size() < m.limits.imported_files) {
        text = m.read(path);
      }
      if (!text) {
        m.units_by_path[path] = nullptr;
        continue;
      }
      return &m.add_unit(path, std::move(*text));
    }
  }
  return nullptr;
}

void run_unit(Interpreter& m, Unit& unit)
{
  unit.state = Unit::State::running;
  unit.globals = &m.add_scope(unit, nullptr);
  Unit* const outer_unit = m.unit;
  Scope* const outer_scope = m.scope;
  m.unit = &unit;
  m.scope = unit.globals;
  m.scope->names["__name__"] = m.string(unit.is_main ? "__main__" : "module");
  m.scope->names["__file__"] = m.text();
  {
    Region region(m, {.kind = Context::Kind::unit, .syntax = &unit.syntax->root()});
    execute_block(m, &unit.syntax->root());
  }
  m.unit = outer_unit;
  m.scope = outer_scope;
  unit.state = Unit::State::done;
}

Ref resolve(Interpreter& m, Ref value)
{
  auto* reference = as<ModuleRef>(value);
  if (reference == nullptr) {
    return value;
  }
  const Deeper deeper(m);
  if (deeper.too_deep()) {
    return m.unknown();
  }
  Unit& unit = *reference->unit;
  if (unit.state == Unit::State::parsed && unit.syntax == nullptr) {
    unit.syntax = std::make_unique<SyntaxFile>(unit.text, unit.number, m.limits.nesting);
    const OutsideRegions outside(m);
    run_unit(m, unit);
  }
  if (reference->name.empty()) {
    return value;
  }
  if (unit.globals != nullptr) {
    const auto found = unit.globals->names.find(reference->name);
    if (found != unit.globals->names.end() && found->second != value) {
      return resolve(m, found->second);
    }
  }
  // A module of the package, or a cyclic import that has not come to that name yet.
  Unit* const outer = m.unit;
  m.unit = &unit;
  Unit* inner = find_unit(m, std::string(reference->name), 1);
  m.unit = outer;
  if (inner != nullptr && unit.path.ends_with("__init__.py")) {
    auto* made = m.make<ModuleRef>();
    made->unit = inner;
    return made;
  }
  return m.unknown();
}

} // namespace faultline::program
