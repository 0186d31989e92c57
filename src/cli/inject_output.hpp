#pragma once

#include "base/file.hpp"
#include "base/json.hpp"
#include "inject/variant.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace faultline::cli {

// A variant as JSON: id, operator, name, setting, library, file, line, column, before, after,
// edits.
Json variant_json(const inject::Variant& variant);

// As a unified diff of its file.
Result<std::string> variant_diff(const inject::Variant& variant, const FileTree& files);

// Fails if `folder` exists and is not empty: nothing is ever overwritten.
Result<void> check_new_folder(const std::filesystem::path& folder);

// Write each variant as folder/ID/ and folder/ID.patch: the whole program, or for a library the
// changed file and `overlay`, the sitecustomize.py that puts it in place of the installed one.
Result<void> write_variants(const std::filesystem::path& folder,
                            const std::vector<inject::Variant>& variants,
                            const FileTree& files,
                            const std::string& overlay);

} // namespace faultline::cli
