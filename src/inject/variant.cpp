#include "inject/variant.hpp"

#include "base/digest.hpp"
#include "base/format.hpp"
#include "source/line_index.hpp"
#include "source/reparser.hpp"

#include <algorithm>
#include <random>
#include <tuple>
#include <unordered_set>

namespace faultline::inject {

namespace {

// A mutation that may become a variant.
struct Candidate {
  const Operator* op = nullptr;
  std::string setting;
  Mutation mutation; // edits in the order of the text
  source::LineColumn place;

  size_t begin() const { return mutation.edits.front().begin; }
};

// Operators of the training program need to know what the program does.
Subject subject_of(const std::string& path, const FileTree& files, bool is_understood)
{
  const std::string& text = files.at(path);
  Subject subject{path, source::SyntaxTree::parse(text, source::Language::python), nullptr};
  if (is_understood) {
    const auto read = [&files](const std::string& other) -> std::optional<std::string> {
      const auto found = files.find(other);
      return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    subject.program = program::analyse(path, text, read);
  }
  return subject;
}

std::vector<std::string> settings_of(const Operator& op, const Selection& selection)
{
  if (op.setting.name.empty()) {
    return {""};
  }
  if (selection.setting) {
    return {*selection.setting};
  }
  return {op.setting.values.begin(), op.setting.values.end()};
}

bool is_covered(const Selection& selection, const std::string& path, size_t line)
{
  if (!selection.covered) {
    return true;
  }
  const auto file = selection.covered->find(path);
  return file != selection.covered->end() && file->second.contains(line);
}

// What all operators find in one file, in order, the unwanted lines left out.
std::vector<Candidate> candidates_in(const Subject& subject, const Selection& selection)
{
  const source::LineIndex lines(subject.tree.text());
  std::vector<Candidate> candidates;
  for (const Operator* op : selection.operators) {
    if (op->find == nullptr) {
      continue;
    }
    for (const std::string& setting : settings_of(*op, selection)) {
      Mutations found;
      op->find(subject, setting, found);
      for (Mutation& mutation : found) {
        FL_ASSERT(!mutation.edits.empty(), "a mutation changes something");
        std::ranges::sort(mutation.edits, {}, [](const source::Edit& edit) {
          return std::pair(edit.begin, edit.end);
        });
        const source::LineColumn place = lines.at(mutation.edits.front().begin);
        if (is_covered(selection, subject.path, place.line)) {
          candidates.push_back({op, setting, std::move(mutation), place});
        }
      }
    }
  }
  // Settings stay in the operator's order, from the least to the most aggressive.
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.place.line, a.op->code, a.begin()) <
           std::tuple(b.place.line, b.op->code, b.begin());
  });
  return candidates;
}

// Tells which candidates are good, each text once.
class Judge {
public:
  explicit Judge(const source::SyntaxTree& original)
      : m_original(original), m_errors(original.errors().size()),
        m_reparser(original.text(), source::Language::python)
  {
    m_seen.insert(original.text());
  }

  bool accepts(const Candidate& candidate)
  {
    const Result<std::string> changed =
        source::apply_edits(m_original.text(), candidate.mutation.edits);
    if (!changed || m_seen.contains(*changed)) {
      return false;
    }
    if (!still_parses(candidate.mutation.edits, *changed)) {
      return false;
    }
    m_seen.insert(*changed);
    return true;
  }

private:
  // Whether the changed text is as good Python as the original.
  bool still_parses(const std::vector<source::Edit>& edits, const std::string& changed) const
  {
    if (m_errors > 0) {
      return source::SyntaxTree::parse(changed, source::Language::python).errors().size() <=
             m_errors;
    }
    const source::ByteRange old_range{edits.front().begin, edits.back().end};
    const size_t behind = m_original.text().size() - old_range.end;
    return !m_reparser.has_error(changed, old_range, changed.size() - behind);
  }

  // A set of whole texts would take the square of the file's size: their digests do.
  class Texts {
  public:
    bool contains(const std::string& text) const { return m_digests.contains(digest(text)); }
    void insert(const std::string& text) { m_digests.insert(digest(text)); }

  private:
    static std::string digest(const std::string& text) { return Digest().add(text).hex(); }
    std::unordered_set<std::string> m_digests;
  };

  const source::SyntaxTree& m_original;
  size_t m_errors;
  source::Reparser m_reparser;
  Texts m_seen;
};

// Numbers that depend on the seed and the file only, so that other files do not change a choice.
std::mt19937_64 random_for(const std::string& path, uint64_t seed)
{
  const std::string hex = Digest().add(path).add(static_cast<long long>(seed)).hex();
  return std::mt19937_64(std::stoull(hex.substr(0, 16), nullptr, 16));
}

// The good candidates, or `most` of them chosen at random; in order either way.
std::vector<Candidate>
choose(std::vector<Candidate> candidates, const Subject& subject, const Selection& selection)
{
  std::vector<size_t> order(candidates.size());
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  if (selection.per_file) {
    // By hand: what std::shuffle does with the numbers differs from library to library.
    std::mt19937_64 random = random_for(subject.path, selection.seed);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random() % i]);
    }
  }
  Judge judge(subject.tree);
  std::vector<size_t> chosen;
  for (const size_t i : order) {
    if (selection.per_file && chosen.size() == *selection.per_file) {
      break;
    }
    if (judge.accepts(candidates[i])) {
      chosen.push_back(i);
    }
  }
  std::ranges::sort(chosen);
  std::vector<Candidate> good;
  for (const size_t i : chosen) {
    good.push_back(std::move(candidates[i]));
  }
  return good;
}

std::string digest_of(const Candidate& candidate, const std::string& path)
{
  Digest digest;
  digest.add(path);
  for (const source::Edit& edit : candidate.mutation.edits) {
    digest.add(static_cast<long long>(edit.begin)).add(static_cast<long long>(edit.end));
    digest.add(edit.text);
  }
  return digest.hex();
}

// Eight digits, more if another variant has them already.
std::string
id_of(const Candidate& candidate, const std::string& path, std::unordered_set<std::string>& taken)
{
  const std::string digest = digest_of(candidate, path);
  for (size_t digits = 8; digits <= digest.size(); ++digits) {
    const std::string id = format("{}-{}", candidate.op->code, digest.substr(0, digits));
    if (taken.insert(id).second) {
      return id;
    }
  }
  FL_ASSERT(false, "no two variants have the same file and edits");
  return {};
}

} // namespace

std::vector<Variant>
make_variants(const FileTree& files, const Selection& selection, const std::string& library)
{
  const bool is_understood =
      library.empty() && std::ranges::any_of(selection.operators, [](const Operator* op) {
        return op->level == Level::dl;
      });
  std::vector<Variant> variants;
  std::unordered_set<std::string> taken;
  for (const auto& [path, text] : files) {
    if (!path.ends_with(".py") || (selection.covered && !selection.covered->contains(path))) {
      continue;
    }
    const Subject subject = subject_of(path, files, is_understood);
    for (Candidate& candidate : choose(candidates_in(subject, selection), subject, selection)) {
      Variant& variant = variants.emplace_back();
      variant.id = id_of(candidate, path, taken);
      variant.op = candidate.op->code;
      variant.setting = std::move(candidate.setting);
      variant.library = library;
      variant.file = path;
      variant.line = candidate.place.line;
      variant.column = candidate.place.column;
      variant.before = std::move(candidate.mutation.before);
      variant.after = std::move(candidate.mutation.after);
      variant.edits = std::move(candidate.mutation.edits);
    }
  }
  return variants;
}

Result<std::string> changed_text(const Variant& variant, const FileTree& files)
{
  const auto file = files.find(variant.file);
  if (file == files.end()) {
    return Error{ErrorKind::not_found,
                 format("variant {} is of {}, which is not there", variant.id, variant.file)};
  }
  Result<std::string> changed = source::apply_edits(file->second, variant.edits);
  if (!changed) {
    return std::move(changed).error().in(format("variant {} of {}", variant.id, variant.file));
  }
  return changed;
}

} // namespace faultline::inject
