#include "catalog/fault.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace faultline::catalog {

const std::string& Labels::get(std::string_view scheme) const
{
  const auto found = std::ranges::find(k_scheme_names, scheme);
  FL_ASSERT(found != k_scheme_names.end(), "a scheme of k_scheme_names");
  return values[static_cast<size_t>(found - k_scheme_names.begin())];
}

const Part* Fault::find_part(std::string_view name) const
{
  const auto found = std::ranges::find(parts, name, &Part::name);
  return found == parts.end() ? nullptr : &*found;
}

std::string Fault::language() const
{
  return framework == "tfjs" ? "javascript" : framework == "libtorch" ? "cpp" : "python";
}

// The program with the given patches, all of them against the buggy version.
static Result<FileTree> apply_all(const Fault& fault,
                                  const std::vector<const source::Patch*>& patches)
{
  std::vector<source::TreeEdits> edits;
  for (const source::Patch* patch : patches) {
    FL_TRY(source::TreeEdits made, source::edits_of(*patch, fault.program));
    edits.push_back(std::move(made));
  }
  FL_TRY(const source::TreeEdits merged, source::merge(edits, fault.program));
  return source::apply_edits(fault.program, merged);
}

Result<FileTree> program_of(const Fault& fault, Version version)
{
  std::vector<const source::Patch*> patches;
  if (version == Version::fixed) {
    for (const Part& part : fault.parts) {
      patches.push_back(&part.patch);
    }
  }
  return apply_all(fault, patches);
}

Result<FileTree> program_without_fix(const Fault& fault, const Part& part)
{
  std::vector<const source::Patch*> patches;
  for (const Part& other : fault.parts) {
    if (&other != &part) {
      patches.push_back(&other.patch);
    }
  }
  return apply_all(fault, patches);
}

Result<FileTree> program_with(const Fault& fault, const Accepted& accepted)
{
  FL_ASSERT(accepted.patch.has_value(), "the alternative is a fix");
  std::vector<const source::Patch*> patches{&*accepted.patch};
  for (const Part& part : fault.parts) {
    if (part.name != accepted.part) {
      patches.push_back(&part.patch);
    }
  }
  return apply_all(fault, patches);
}

Result<source::Patch> fix_of(const Fault& fault)
{
  if (fault.parts.size() == 1) {
    return fault.parts.front().patch;
  }
  FL_TRY(const FileTree fixed, program_of(fault, Version::fixed));
  return source::make_patch(fault.program, fixed);
}

} // namespace faultline::catalog
