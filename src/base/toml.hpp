#pragma once

#include "base/result.hpp"

#include <toml++/toml.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

Result<toml::table> parse_toml(std::string_view text, const std::string& file);

// Reads a table key by key and remembers the first thing that is wrong with it, as
// `file:line: what`. Code that fills a struct then reads as a plain list of fields; whoever asked
// for the table calls `finish` once, which also refuses keys that nobody read.
class TomlReader {
public:
  TomlReader(const toml::table& table, std::string file);

  std::string text(std::string_view key);
  std::optional<std::string> optional_text(std::string_view key);
  std::optional<long long> optional_integer(std::string_view key);
  std::optional<double> optional_number(std::string_view key);
  long long integer(std::string_view key);
  double number(std::string_view key);
  bool flag(std::string_view key, bool otherwise);
  std::vector<std::string> texts(std::string_view key);
  std::vector<int> integers(std::string_view key);
  std::vector<double> numbers(std::string_view key); // integers or not
  bool has(std::string_view key) const;

  // A reader of the table at `key`; an empty one, with the problem noted, if there is none.
  TomlReader table(std::string_view key);
  std::optional<TomlReader> optional_table(std::string_view key);
  std::vector<TomlReader> tables(std::string_view key);

  // Every key of this table, for tables whose keys are free.
  std::vector<std::string> keys();

  // Report a problem with the value at `key`, or with the table itself.
  void refuse(std::string_view key, std::string_view why);
  void refuse(std::string_view why);
  // Report a problem that has its own place, in another file.
  void fail(Error problem);

  // The place of the value at `key`: "file:line".
  std::string place(std::string_view key) const;

  Result<void> finish();

private:
  using Keys = std::set<std::string, std::less<>>;
  struct Visit {
    const toml::table* table;
    std::shared_ptr<Keys> read;
  };
  // The state that all readers of one file share.
  struct Shared {
    std::string file;
    std::optional<Error> problem;
    std::vector<Visit> visits; // every table read so far, to find the keys nobody read
  };

  TomlReader(const toml::table& table, std::shared_ptr<Shared> shared);

  const toml::node* find(std::string_view key, bool required);
  void note(const toml::source_position& at, std::string_view why);
  const toml::table* m_table;
  std::shared_ptr<Shared> m_shared;
  std::shared_ptr<Keys> m_read = std::make_shared<Keys>();
};

} // namespace faultline
