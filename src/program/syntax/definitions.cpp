// Functions and classes, with their parameters and decorators.

#include "program/syntax/builder.hpp"

namespace faultline::program {

const Syntax* SyntaxBuilder::parameters(const Node& node)
{
  Syntax* made = make(node, SyntaxKind::parameters);
  for (const Part& part : parts_of(node)) {
    made->children.push_back(parameter(part.node));
  }
  return made;
}

const Syntax* SyntaxBuilder::parameter(const Node& node)
{
  const std::string_view kind = node.kind();
  Syntax* made = with(node, SyntaxKind::parameter, {nullptr, nullptr});
  if (kind == "identifier") {
    return made;
  }
  if (kind == "keyword_separator" || kind == "positional_separator") {
    made->extra = kind == "keyword_separator" ? "*" : "/";
    made->text = {};
    return made;
  }
  if (kind == "list_splat_pattern" || kind == "dictionary_splat_pattern") {
    const std::vector<Part> parts = parts_of(node);
    made->extra = kind == "list_splat_pattern" ? "*" : "**";
    made->text = parts.empty() ? std::string_view() : text_of(parts.front().node);
    return made;
  }
  const std::vector<Part> parts = parts_of(node);
  made->text = {};
  for (const Part& part : parts) {
    if (part.field == "value") {
      made->children[0] = build(part.node);
    } else if (part.field == "type") {
      made->children[1] = build(part.node);
    } else if (part.node.kind() == "identifier") {
      made->text = text_of(part.node);
    } else if (part.node.kind().ends_with("splat_pattern")) {
      const Syntax* inner = parameter(part.node);
      made->text = inner->text;
      made->extra = inner->extra;
    }
  }
  return made;
}

const Syntax* SyntaxBuilder::definition(const Node& node,
                                        const std::vector<const Syntax*>& decorators)
{
  const std::vector<Part> parts = parts_of(node);
  const std::optional<Node> name = field(parts, "name");
  const Syntax* body = build_field(parts, "body");
  if (!name || body == nullptr) {
    return body != nullptr ? body : make(node, SyntaxKind::broken);
  }
  Syntax* made = nullptr;
  if (node.kind() == "function_definition") {
    const std::optional<Node> list = field(parts, "parameters");
    made = with(node,
                SyntaxKind::function,
                {list ? parameters(*list) : make(node, SyntaxKind::parameters), body});
  } else {
    made = with(node, SyntaxKind::class_, {body});
    if (const std::optional<Node> bases = field(parts, "superclasses")) {
      for (const Part& part : parts_of(*bases)) {
        made->children.push_back(build(part.node));
        ++made->split;
      }
    }
  }
  made->children.insert(made->children.end(), decorators.begin(), decorators.end());
  made->text = text_of(*name);
  return made;
}

const Syntax* SyntaxBuilder::undecorated(const Node& node)
{
  return definition(node, {});
}

const Syntax* SyntaxBuilder::decorated(const Node& node)
{
  std::vector<const Syntax*> decorators;
  std::optional<Node> body;
  for (const Part& part : parts_of(node)) {
    if (part.node.kind() == "decorator") {
      decorators.push_back(build(part.node));
    } else {
      body = part.node;
    }
  }
  return body ? definition(*body, decorators) : make(node, SyntaxKind::broken);
}

} // namespace faultline::program
