#pragma once

#include "serve/request.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace faultline::serve {

// The files of the web page, read into memory once: no request ever names a file of the machine.
class FrontEnd {
public:
  // Without the folder, or without index.html in it, every page says how to build it.
  static FrontEnd load(const std::filesystem::path& folder);

  // The file at `path`, or the page itself: every view has an address of its own, which the page
  // makes sense of. Nothing below /assets/ that is not there.
  Reply answer(const std::string& path) const;

  bool is_built() const { return !m_index.empty(); }

private:
  struct File {
    std::string type;
    std::string body;
    std::string zipped; // empty if that is not shorter
    std::string tag;
    bool immutable = false; // its name carries a digest of its content
  };

  Reply page() const;

  std::map<std::string, File> m_files;
  std::string m_index;
};

} // namespace faultline::serve
