#include "serve/front_end.hpp"

#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/gzip.hpp"
#include "base/text.hpp"
#include "serve/guard.hpp"

namespace faultline::serve {

namespace fs = std::filesystem;

constexpr std::string_view k_nonce_mark = "__NONCE__";

constexpr std::string_view k_not_built = R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Faultline</title></head>
<body>
<h1>Faultline</h1>
<p>The server runs, but its pages were not built. <code>./run serve</code> builds them; so does
<code>npm ci &amp;&amp; npm run build:web</code> in the project's folder.</p>
<p>The API is there: <a href="/api/v1/status">/api/v1/status</a>,
<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
</body>
</html>
)";

static std::string type_of(const fs::path& path)
{
  static const std::map<std::string, std::string> k_types = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".webp", "image/webp"},
      {".woff2", "font/woff2"},
      {".woff", "font/woff"},
      {".wasm", "application/wasm"},
      {".txt", "text/plain; charset=utf-8"}};
  const auto found = k_types.find(path.extension().string());
  return found == k_types.end() ? "application/octet-stream" : found->second;
}

FrontEnd FrontEnd::load(const fs::path& folder)
{
  FrontEnd front_end;
  const Result<FileTree> files = read_tree(folder);
  if (!files) {
    return front_end;
  }
  for (const auto& [name, content] : *files) {
    if (name == "index.html") {
      front_end.m_index = content;
      continue;
    }
    File file;
    file.type = type_of(name);
    file.body = content;
    file.zipped = gzip(content, 9);
    if (file.zipped.size() >= content.size()) {
      file.zipped.clear();
    }
    file.tag = "\"" + Digest().add(content).hex().substr(0, 32) + "\"";
    file.immutable = name.starts_with("assets/");
    front_end.m_files.emplace("/" + name, std::move(file));
  }
  return front_end;
}

Reply FrontEnd::page() const
{
  Reply reply;
  reply.type = "text/html; charset=utf-8";
  reply.cacheable = false;
  reply.headers["Cache-Control"] = "no-store";
  // A new one for each answer: an injected style does not have it.
  const std::string nonce = random_hex(16);
  reply.body = replace_all(is_built() ? m_index : std::string(k_not_built), k_nonce_mark, nonce);
  add_security_headers(reply, nonce);
  return reply;
}

Reply FrontEnd::answer(const std::string& path) const
{
  const auto found = m_files.find(path);
  if (found == m_files.end()) {
    return path.starts_with("/assets/") ? error_reply(404, "no such file") : page();
  }
  const File& file = found->second;
  Reply reply;
  reply.type = file.type;
  (file.zipped.empty() ? reply.body : reply.zipped) = file.zipped.empty() ? file.body : file.zipped;
  reply.headers["ETag"] = file.tag;
  reply.headers["Cache-Control"] =
      file.immutable ? "public, max-age=31536000, immutable" : "no-cache";
  return reply;
}

} // namespace faultline::serve
