#include "program/syntax/syntax.hpp"

#include "program/syntax/builder.hpp"

namespace faultline::program {

SyntaxFile::SyntaxFile(std::string_view text, uint32_t file, size_t max_nesting)
{
  const source::SyntaxTree tree =
      source::SyntaxTree::parse(std::string(text), source::Language::python);
  SyntaxBuilder builder(*this, text, file, max_nesting);
  m_root = builder.build(tree.root());
  for (const source::ByteRange& error : tree.errors()) {
    m_errors.push_back(
        {file, static_cast<uint32_t>(error.begin), static_cast<uint32_t>(error.end)});
  }
}

} // namespace faultline::program
