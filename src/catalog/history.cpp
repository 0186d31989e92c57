#include "catalog/history.hpp"

#include "base/format.hpp"

#include <git2.h>

#include <memory>

namespace faultline::catalog {

// 2020-01-01 00:00:00 UTC; later commits count on from here.
constexpr git_time_t k_first_commit = 1577836800;

template <auto Free> struct Releases {
  template <typename T> void operator()(T* object) const { Free(object); }
};
using Repository = std::unique_ptr<git_repository, Releases<git_repository_free>>;
using Index = std::unique_ptr<git_index, Releases<git_index_free>>;
using Tree = std::unique_ptr<git_tree, Releases<git_tree_free>>;
using Commit = std::unique_ptr<git_commit, Releases<git_commit_free>>;
using Signature = std::unique_ptr<git_signature, Releases<git_signature_free>>;
using Reference = std::unique_ptr<git_reference, Releases<git_reference_free>>;

// libgit2 has to be initialised and shut down.
struct Session {
  Session() { git_libgit2_init(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { git_libgit2_shutdown(); }
};

static Error git_failure(std::string_view doing)
{
  const git_error* error = git_error_last();
  return {ErrorKind::io,
          format("cannot {}: {}", doing, error != nullptr ? error->message : "unknown")};
}

static Result<git_oid> write_files(git_repository* repository, const FileTree& files)
{
  git_index* raw_index = nullptr;
  if (git_index_new(&raw_index) != 0) {
    return git_failure("make an index");
  }
  const Index index(raw_index);
  for (const auto& [path, content] : files) {
    git_index_entry entry{};
    entry.path = path.c_str();
    entry.mode = GIT_FILEMODE_BLOB;
    if (git_blob_create_from_buffer(&entry.id, repository, content.data(), content.size()) != 0 ||
        git_index_add(index.get(), &entry) != 0) {
      return git_failure(format("add {}", path));
    }
  }
  git_oid tree{};
  if (git_index_write_tree_to(&tree, index.get(), repository) != 0) {
    return git_failure("write a tree");
  }
  return tree;
}

static Result<Commit>
commit(git_repository* repository, const Branch& branch, const git_commit* parent, git_time_t when)
{
  FL_TRY(const git_oid tree_id, write_files(repository, branch.files));
  git_tree* raw_tree = nullptr;
  git_signature* raw_signature = nullptr;
  if (git_tree_lookup(&raw_tree, repository, &tree_id) != 0 ||
      git_signature_new(&raw_signature, "Faultline", "faultline@localhost", when, 0) != 0) {
    return git_failure("make a commit");
  }
  const Tree tree(raw_tree);
  const Signature signature(raw_signature);
  const git_commit* parents[] = {parent};
  git_oid id{};
  git_commit* made = nullptr;
  if (git_commit_create(&id,
                        repository,
                        nullptr,
                        signature.get(),
                        signature.get(),
                        nullptr,
                        branch.message.c_str(),
                        tree.get(),
                        parent == nullptr ? 0 : 1,
                        parents) != 0 ||
      git_commit_lookup(&made, repository, &id) != 0) {
    return git_failure("make a commit");
  }
  Commit result(made);
  git_reference* raw_reference = nullptr;
  if (git_branch_create(&raw_reference, repository, branch.name.c_str(), made, 1) != 0) {
    return git_failure(format("make the branch {}", branch.name));
  }
  const Reference reference(raw_reference);
  return result;
}

Result<void> write_history(const std::filesystem::path& folder,
                           const std::vector<Branch>& branches,
                           const std::string& current)
{
  const Session session;
  git_repository_init_options options{};
  git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
  options.flags = GIT_REPOSITORY_INIT_MKPATH;
  options.initial_head = current.c_str();
  git_repository* raw_repository = nullptr;
  if (git_repository_init_ext(&raw_repository, folder.c_str(), &options) != 0) {
    return git_failure("make a git repository");
  }
  const Repository repository(raw_repository);
  // Links to data sets and packages point into this machine; they are not part of the fault.
  FL_CHECK(
      write_file(folder / ".git/info/exclude", "/node_modules\n/program/data\n__pycache__/\n"));
  Commit parent;
  git_time_t when = k_first_commit;
  for (const Branch& branch : branches) {
    FL_TRY(parent, commit(repository.get(), branch, parent.get(), when));
    when += 60;
  }
  git_checkout_options checkout{};
  git_checkout_options_init(&checkout, GIT_CHECKOUT_OPTIONS_VERSION);
  checkout.checkout_strategy = GIT_CHECKOUT_FORCE;
  if (git_repository_set_head(repository.get(), ("refs/heads/" + current).c_str()) != 0 ||
      git_checkout_head(repository.get(), &checkout) != 0) {
    return git_failure(format("check out {}", current));
  }
  return {};
}

} // namespace faultline::catalog
