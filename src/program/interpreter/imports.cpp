#include "base/text.hpp"
#include "program/interpreter/interpreter.hpp"

#include <filesystem>

namespace faultline::program {

// The folder of the main file and those above it, nearest first.
std::vector<std::filesystem::path> Interpreter::folders_above() const
{
  constexpr int k_most = 3;
  std::vector<std::filesystem::path> folders;
  std::filesystem::path folder =
      std::filesystem::path(m_program.m_units.front()->path).parent_path();
  for (int i = 0; i < k_most; ++i) {
    folders.push_back(folder);
    if (!folder.has_parent_path() || folder.parent_path() == folder) {
      break;
    }
    folder = folder.parent_path();
  }
  return folders;
}

// The versions that the nearest dependency file asks for.
void Interpreter::read_requirements()
{
  if (!m_read) {
    return;
  }
  for (const std::filesystem::path& folder : folders_above()) {
    for (const char* name : {"requirements.txt", "environment.yml"}) {
      if (const std::optional<std::string> text = m_read((folder / name).string())) {
        m_program.m_pins = parse_requirements(*text);
        return;
      }
    }
  }
}

// The file behind a module's name, looked for beside the importing file, then beside the main one
// and the folders above it. Null if the program has no such file or too many were read.
Unit* Interpreter::find_unit(const std::string& module, uint32_t level)
{
  namespace fs = std::filesystem;
  if (!m_read) {
    return nullptr;
  }
  const std::string relative = replace_all(module, ".", "/");
  std::vector<fs::path> folders;
  fs::path folder = fs::path(m_unit->path).parent_path();
  if (level > 0) {
    for (uint32_t i = 1; i < level; ++i) {
      folder = folder.parent_path();
    }
    folders = {folder};
  } else {
    folders = {folder};
    const std::vector<fs::path> above = folders_above();
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
      if (const auto known = m_units_by_path.find(path); known != m_units_by_path.end()) {
        if (known->second != nullptr) {
          return known->second;
        }
        continue;
      }
      std::optional<std::string> text;
      if (m_program.m_units.size() < m_limits.imported_files) {
        text = m_read(path);
      }
      if (!text) {
        m_units_by_path[path] = nullptr;
        continue;
      }
      auto unit = std::make_unique<Unit>();
      unit->number = static_cast<uint32_t>(m_program.m_units.size());
      unit->path = path;
      unit->text = std::move(*text);
      m_units_by_path[path] = unit.get();
      return m_program.m_units.emplace_back(std::move(unit)).get();
    }
  }
  return nullptr;
}

Ref Interpreter::library(const std::string& path, Span span)
{
  auto* made = make<ApiName>();
  made->origin = span;
  made->written = path;
  made->path = canonical_path(path);
  made->api = find_api(made->path);
  return made;
}

void Interpreter::execute_import(const Syntax& statement)
{
  for (const Syntax* name : statement.children) {
    const std::string module(name->text);
    m_program.m_imports.push_back({module, "", name->span});
    const std::string first = module.substr(0, module.find('.'));
    const std::string bound = name->extra.empty() ? first : module;
    Ref value = nullptr;
    if (!is_modelled_library(module)) {
      if (Unit* unit = find_unit(bound, 0)) {
        auto* made = make<ModuleRef>();
        made->unit = unit;
        value = made;
      }
    }
    if (value == nullptr) {
      value = library(bound, name->span);
      if (!name->extra.empty()) {
        note_name(*as<ApiName>(value), name->span);
      }
    }
    assign_name(name->extra.empty() ? keep(first) : name->extra, value);
  }
}

void Interpreter::execute_import_from(const Syntax& statement)
{
  const std::string module(statement.text);
  Unit* unit = nullptr;
  const bool modelled = statement.level == 0 && is_modelled_library(module);
  if (!modelled) {
    unit = find_unit(module, statement.level);
  }
  for (const Syntax* name : statement.children) {
    m_program.m_imports.push_back({module, std::string(name->text), name->span});
    if (name->text == "*") {
      import_star(module, unit);
      continue;
    }
    const std::string_view bound = name->extra.empty() ? name->text : name->extra;
    if (unit != nullptr) {
      auto* made = make<ModuleRef>();
      made->unit = unit;
      made->name = name->text;
      assign_name(bound, made);
      continue;
    }
    // `from package import module`
    if (!modelled) {
      const std::string whole =
          module.empty() ? std::string(name->text) : module + "." + std::string(name->text);
      if (Unit* inner = find_unit(whole, statement.level)) {
        auto* made = make<ModuleRef>();
        made->unit = inner;
        assign_name(bound, made);
        continue;
      }
    }
    if (statement.level > 0) {
      m_here = name->span;
      assign_name(bound, unknown());
      continue;
    }
    const Ref value = library(module + "." + std::string(name->text), name->span);
    note_name(*as<ApiName>(value), name->span);
    assign_name(bound, value);
  }
}

void Interpreter::import_star(const std::string& module, Unit* unit)
{
  if (unit == nullptr) {
    m_scope->star_imports.push_back(canonical_path(module));
    return;
  }
  auto* made = make<ModuleRef>();
  made->unit = unit;
  resolve(made);
  if (unit->globals != nullptr && unit->globals != m_scope) {
    touch(*m_scope);
    for (const auto& [name, value] : unit->globals->names) {
      if (!name.starts_with('_')) {
        m_scope->names[name] = value;
      }
    }
    for (const std::string& star : unit->globals->star_imports) {
      m_scope->star_imports.push_back(star);
    }
  }
}

Ref Interpreter::resolve(Ref value)
{
  auto* reference = as<ModuleRef>(value);
  if (reference == nullptr) {
    return value;
  }
  const Deeper deeper(*this);
  if (deeper.too_deep()) {
    return unknown();
  }
  Unit& unit = *reference->unit;
  if (unit.state == Unit::State::parsed && unit.syntax == nullptr) {
    unit.syntax = std::make_unique<SyntaxFile>(unit.text, unit.number, m_limits.nesting);
    // What a file does when imported happens once, not in the branch that imports it, and is not
    // speculation of ours.
    std::vector<Frame> frames;
    frames.swap(m_frames);
    const Context* const outer = m_context;
    m_context = nullptr;
    run_unit(unit);
    m_context = outer;
    frames.swap(m_frames);
  }
  if (reference->name.empty()) {
    return value;
  }
  if (unit.globals != nullptr) {
    const auto found = unit.globals->names.find(reference->name);
    if (found != unit.globals->names.end() && found->second != value) {
      return resolve(found->second);
    }
  }
  // A module of the package, or a cyclic import that has not come to that name yet.
  Unit* const outer = m_unit;
  m_unit = &unit;
  Unit* inner = find_unit(std::string(reference->name), 1);
  m_unit = outer;
  if (inner != nullptr && unit.path.ends_with("__init__.py")) {
    auto* made = make<ModuleRef>();
    made->unit = inner;
    return made;
  }
  return unknown();
}

} // namespace faultline::program
