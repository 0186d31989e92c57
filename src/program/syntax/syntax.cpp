#include "program/syntax/syntax.hpp"

#include "base/text.hpp"
#include "source/syntax.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace faultline::program {

namespace {

using source::Cursor;
using source::Node;

struct Part {
  Node node;
  std::string_view field;
};

const std::unordered_map<std::string_view, SyntaxKind> k_plain_kinds = {
    {"list", SyntaxKind::list},
    {"list_pattern", SyntaxKind::list},
    {"tuple", SyntaxKind::tuple},
    {"tuple_pattern", SyntaxKind::tuple},
    {"pattern_list", SyntaxKind::tuple},
    {"expression_list", SyntaxKind::tuple},
    {"set", SyntaxKind::set},
    {"dictionary", SyntaxKind::dict},
    {"list_splat", SyntaxKind::star},
    {"list_splat_pattern", SyntaxKind::star},
    {"dictionary_splat", SyntaxKind::double_star},
    {"dictionary_splat_pattern", SyntaxKind::double_star},
    {"not_operator", SyntaxKind::not_},
    {"await", SyntaxKind::await_},
    {"yield", SyntaxKind::yield_},
    {"conditional_expression", SyntaxKind::conditional},
    {"if_clause", SyntaxKind::if_clause},
    {"delete_statement", SyntaxKind::delete_},
    {"return_statement", SyntaxKind::return_},
    {"raise_statement", SyntaxKind::raise_},
    {"assert_statement", SyntaxKind::assert_},
    {"print_statement", SyntaxKind::print},
    {"exec_statement", SyntaxKind::exec},
    {"decorator", SyntaxKind::decorator},
    {"expression_statement", SyntaxKind::expression},
    {"block", SyntaxKind::block},
    {"module", SyntaxKind::block},
};

const std::unordered_map<std::string_view, SyntaxKind> k_leaf_kinds = {
    {"true", SyntaxKind::true_},
    {"false", SyntaxKind::false_},
    {"none", SyntaxKind::none},
    {"ellipsis", SyntaxKind::ellipsis},
    {"pass_statement", SyntaxKind::pass_},
    {"break_statement", SyntaxKind::break_},
    {"continue_statement", SyntaxKind::continue_},
    {"identifier", SyntaxKind::name},
};

bool is_statement(SyntaxKind kind)
{
  return kind >= SyntaxKind::block;
}

} // namespace

class SyntaxBuilder {
public:
  SyntaxBuilder(SyntaxFile& file, std::string_view text, uint32_t number, size_t max_nesting)
      : m_file(file), m_text(text), m_number(number), m_max_nesting(max_nesting)
  {
  }

  const Syntax* build(const Node& node)
  {
    if (m_depth >= m_max_nesting) {
      return make(node, SyntaxKind::broken);
    }
    ++m_depth;
    const Syntax* made = convert(node);
    --m_depth;
    return made;
  }

private:
  Syntax* make(const Node& node, SyntaxKind kind)
  {
    Syntax& made = m_file.m_nodes.emplace_back();
    made.kind = kind;
    made.span = {
        m_number, static_cast<uint32_t>(node.begin_byte()), static_cast<uint32_t>(node.end_byte())};
    made.text = text_of(node);
    return &made;
  }

  std::string_view text_of(const Node& node) const
  {
    return m_text.substr(node.begin_byte(), node.end_byte() - node.begin_byte());
  }

  static std::vector<Part> parts_of(const Node& node)
  {
    std::vector<Part> parts;
    Cursor cursor(node);
    for (bool more = cursor.to_first_child(); more; more = cursor.to_next_sibling()) {
      const Node child = cursor.node();
      if (child.is_named() && child.kind() != "comment" && child.kind() != "line_continuation") {
        parts.push_back({child, cursor.field()});
      }
    }
    return parts;
  }

  static std::optional<Node> field(const std::vector<Part>& parts, std::string_view name)
  {
    for (const Part& part : parts) {
      if (part.field == name) {
        return part.node;
      }
    }
    return std::nullopt;
  }

  const Syntax* build_field(const std::vector<Part>& parts, std::string_view name)
  {
    const std::optional<Node> node = field(parts, name);
    return node ? build(*node) : nullptr;
  }

  const Syntax* plain(const Node& node, SyntaxKind kind)
  {
    Syntax* made = make(node, kind);
    for (const Part& part : parts_of(node)) {
      made->children.push_back(build(part.node));
    }
    return made;
  }

  // A token that is not a named node, such as the sign of an operator.
  static std::string_view sign_of(const Node& node, std::string_view text)
  {
    const std::optional<Node> sign = node.child("operator");
    return sign ? text.substr(sign->begin_byte(), sign->end_byte() - sign->begin_byte())
                : std::string_view();
  }

  const Syntax* convert(const Node& node)
  {
    const std::string_view kind = node.kind();
    if (const auto leaf = k_leaf_kinds.find(kind); leaf != k_leaf_kinds.end()) {
      return make(node, leaf->second);
    }
    if (const auto simple = k_plain_kinds.find(kind); simple != k_plain_kinds.end()) {
      return simple->second == SyntaxKind::expression ? expression(node)
                                                      : plain(node, simple->second);
    }
    if (node.is_error()) {
      return error(node);
    }
    if (kind == "parenthesized_expression" || kind == "with_clause" || kind == "type" ||
        kind == "interpolation" || kind == "chevron") {
      const std::vector<Part> parts = parts_of(node);
      return parts.empty() ? make(node, SyntaxKind::broken) : build(parts.front().node);
    }
    if (kind == "integer" || kind == "float") {
      return number(node);
    }
    if (kind == "string" || kind == "concatenated_string") {
      return string(node);
    }
    if (kind == "call") {
      return call(node);
    }
    if (kind == "attribute") {
      const std::vector<Part> parts = parts_of(node);
      Syntax* made = make(node, SyntaxKind::attribute);
      made->children = {build_field(parts, "object")};
      const std::optional<Node> name = field(parts, "attribute");
      made->text = name ? text_of(*name) : std::string_view();
      return made->children[0] != nullptr ? made : make(node, SyntaxKind::broken);
    }
    if (kind == "subscript") {
      return with_fields(node, SyntaxKind::subscript);
    }
    if (kind == "slice") {
      return slice(node);
    }
    if (kind == "binary_operator" || kind == "unary_operator" || kind == "augmented_assignment") {
      Syntax* made = with_fields(node,
                                 kind == "binary_operator"  ? SyntaxKind::binary
                                 : kind == "unary_operator" ? SyntaxKind::unary
                                                            : SyntaxKind::augment);
      made->text = sign_of(node, m_text);
      if (made->kind == SyntaxKind::augment && !made->text.empty()) {
        made->text.remove_suffix(1);
      }
      return made->children.empty() ? make(node, SyntaxKind::broken) : made;
    }
    if (kind == "boolean_operator") {
      Syntax* made = with_fields(node, SyntaxKind::both);
      made->kind = sign_of(node, m_text) == "or" ? SyntaxKind::either : SyntaxKind::both;
      return made->children.size() == 2 ? made : make(node, SyntaxKind::broken);
    }
    if (kind == "comparison_operator") {
      return comparison(node);
    }
    if (kind == "pair") {
      const std::vector<Part> parts = parts_of(node);
      return with(node, SyntaxKind::pair, {build_field(parts, "key"), build_field(parts, "value")});
    }
    if (kind == "keyword_argument" || kind == "named_expression") {
      const std::vector<Part> parts = parts_of(node);
      Syntax* made = with(node,
                          kind == "keyword_argument" ? SyntaxKind::keyword : SyntaxKind::named,
                          {build_field(parts, "value")});
      const std::optional<Node> name = field(parts, "name");
      made->text = name ? text_of(*name) : std::string_view();
      return made->children[0] != nullptr ? made : make(node, SyntaxKind::broken);
    }
    if (kind == "lambda") {
      const std::vector<Part> parts = parts_of(node);
      const std::optional<Node> list = field(parts, "parameters");
      return with(node,
                  SyntaxKind::lambda,
                  {list ? parameters(*list) : make(node, SyntaxKind::parameters),
                   build_field(parts, "body")});
    }
    if (kind.ends_with("comprehension") || kind == "generator_expression") {
      return comprehension(node, kind);
    }
    if (kind == "assignment") {
      return assignment(node);
    }
    if (kind == "global_statement" || kind == "nonlocal_statement") {
      return plain(node, kind == "global_statement" ? SyntaxKind::global : SyntaxKind::nonlocal);
    }
    if (kind == "import_statement" || kind == "import_from_statement" ||
        kind == "future_import_statement") {
      return import(node, kind);
    }
    if (kind == "if_statement") {
      return if_statement(node);
    }
    if (kind == "for_statement") {
      const std::vector<Part> parts = parts_of(node);
      return with(node,
                  SyntaxKind::for_,
                  {build_field(parts, "left"),
                   build_field(parts, "right"),
                   build_field(parts, "body"),
                   else_of(parts)});
    }
    if (kind == "while_statement") {
      const std::vector<Part> parts = parts_of(node);
      return with(node,
                  SyntaxKind::while_,
                  {build_field(parts, "condition"), build_field(parts, "body"), else_of(parts)});
    }
    if (kind == "try_statement") {
      return try_statement(node);
    }
    if (kind == "with_statement") {
      return with_statement(node);
    }
    if (kind == "function_definition" || kind == "class_definition") {
      return definition(node, {});
    }
    if (kind == "decorated_definition") {
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
    if (kind == "match_statement") {
      return match(node);
    }
    return make(node, SyntaxKind::broken);
  }

  Syntax* with(const Node& node, SyntaxKind kind, std::vector<const Syntax*> children)
  {
    Syntax* made = make(node, kind);
    made->children = std::move(children);
    return made;
  }

  // All parts that the grammar gives a name, but for the operator.
  Syntax* with_fields(const Node& node, SyntaxKind kind)
  {
    Syntax* made = make(node, kind);
    for (const Part& part : parts_of(node)) {
      if (!part.field.empty() && part.field != "operator") {
        made->children.push_back(build(part.node));
      }
    }
    return made;
  }

  const Syntax* expression(const Node& node)
  {
    const std::vector<Part> parts = parts_of(node);
    if (parts.size() > 1) {
      return with(node, SyntaxKind::expression, {plain(node, SyntaxKind::tuple)});
    }
    if (parts.empty()) {
      return make(node, SyntaxKind::pass_);
    }
    const Syntax* inner = build(parts.front().node);
    return is_statement(inner->kind) ? inner : with(node, SyntaxKind::expression, {inner});
  }

  // What could still be read inside an error counts, as statements.
  const Syntax* error(const Node& node)
  {
    Syntax* made = make(node, SyntaxKind::block);
    for (const Part& part : parts_of(node)) {
      const Syntax* inner = build(part.node);
      if (inner->kind == SyntaxKind::broken) {
        continue;
      }
      made->children.push_back(
          is_statement(inner->kind) ? inner : with(part.node, SyntaxKind::expression, {inner}));
    }
    return made;
  }

  const Syntax* number(const Node& node)
  {
    std::string digits = replace_all(std::string(text_of(node)), "_", "");
    if (digits.ends_with('j') || digits.ends_with('J')) {
      return make(node, SyntaxKind::imaginary);
    }
    if (digits.ends_with('l') || digits.ends_with('L')) {
      digits.pop_back();
    }
    Syntax* made = make(node, SyntaxKind::integer);
    int base = 10;
    size_t start = 0;
    if (digits.size() > 2 && digits[0] == '0') {
      const char mark = static_cast<char>(digits[1] | 0x20);
      base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
      start = base == 10 ? 0 : 2;
    }
    const char* first = digits.data() + start;
    const char* last = digits.data() + digits.size();
    const auto whole = std::from_chars(first, last, made->integer, base);
    if (whole.ec == std::errc() && whole.ptr == last) {
      made->real = static_cast<double>(made->integer);
      return made;
    }
    made->kind = SyntaxKind::real;
    const auto decimal = std::from_chars(first, last, made->real);
    return decimal.ec == std::errc::invalid_argument ? make(node, SyntaxKind::broken) : made;
  }

  static void unescape(std::string_view content, bool raw, std::string& out)
  {
    for (size_t i = 0; i < content.size(); ++i) {
      if (raw || content[i] != '\\' || i + 1 == content.size()) {
        out += content[i];
        continue;
      }
      switch (content[++i]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case '\n':
        break;
      case '\\':
      case '\'':
      case '"':
        out += content[i];
        break;
      default:
        out += '\\';
        out += content[i];
      }
    }
  }

  void read_string(const Node& node, std::string& value, Syntax& made)
  {
    bool raw = false;
    for (const Part& part : parts_of(node)) {
      const std::string_view kind = part.node.kind();
      if (kind == "string") {
        read_string(part.node, value, made);
      } else if (kind == "string_start") {
        const std::string_view start = text_of(part.node);
        raw = start.find_first_of("rR") != start.npos;
        if (start.find_first_of("bB") != start.npos) {
          made.kind = SyntaxKind::bytes;
        }
      } else if (kind == "string_content") {
        unescape(text_of(part.node), raw, value);
      } else if (kind == "interpolation") {
        made.kind = SyntaxKind::template_string;
        made.children.push_back(build(part.node));
      }
    }
  }

  const Syntax* string(const Node& node)
  {
    Syntax* made = make(node, SyntaxKind::string);
    std::string value;
    read_string(node, value, *made);
    made->text = m_file.m_strings.emplace_back(std::move(value));
    return made;
  }

  const Syntax* call(const Node& node)
  {
    const std::vector<Part> parts = parts_of(node);
    Syntax* made = make(node, SyntaxKind::call);
    made->children.push_back(build_field(parts, "function"));
    if (made->children[0] == nullptr) {
      return make(node, SyntaxKind::broken);
    }
    if (const std::optional<Node> list = field(parts, "arguments")) {
      if (list->kind() == "generator_expression") {
        made->children.push_back(build(*list));
      } else {
        for (const Part& part : parts_of(*list)) {
          made->children.push_back(build(part.node));
        }
      }
    }
    return made;
  }

  const Syntax* slice(const Node& node)
  {
    Syntax* made = with(node, SyntaxKind::slice, {nullptr, nullptr, nullptr});
    size_t place = 0;
    Cursor cursor(node);
    for (bool more = cursor.to_first_child(); more; more = cursor.to_next_sibling()) {
      if (cursor.node().kind() == ":") {
        ++place;
      } else if (cursor.node().is_named() && place < 3 && cursor.node().kind() != "comment") {
        made->children[place] = build(cursor.node());
      }
    }
    return made;
  }

  const Syntax* comparison(const Node& node)
  {
    Syntax* made = make(node, SyntaxKind::compare);
    std::string signs;
    std::string sign; // `is not` and `not in` are two tokens
    Cursor cursor(node);
    for (bool more = cursor.to_first_child(); more; more = cursor.to_next_sibling()) {
      const Node child = cursor.node();
      if (child.is_named() && child.kind() != "comment" && cursor.field() != "operators") {
        if (!made->children.empty()) {
          signs += (signs.empty() ? "" : ",") + sign;
          sign.clear();
        }
        made->children.push_back(build(child));
      } else if (!child.is_named() || cursor.field() == "operators") {
        sign += (sign.empty() ? "" : " ") + std::string(text_of(child));
      }
    }
    made->text = m_file.m_strings.emplace_back(std::move(signs));
    return made->children.size() >= 2 ? made : make(node, SyntaxKind::broken);
  }

  const Syntax* comprehension(const Node& node, std::string_view kind)
  {
    Syntax* made = make(node,
                        kind == "list_comprehension"         ? SyntaxKind::list_comprehension
                        : kind == "set_comprehension"        ? SyntaxKind::set_comprehension
                        : kind == "dictionary_comprehension" ? SyntaxKind::dict_comprehension
                                                             : SyntaxKind::generator);
    for (const Part& part : parts_of(node)) {
      if (part.node.kind() == "for_in_clause") {
        const std::vector<Part> inner = parts_of(part.node);
        made->children.push_back(with(part.node,
                                      SyntaxKind::for_clause,
                                      {build_field(inner, "left"), build_field(inner, "right")}));
      } else {
        made->children.push_back(build(part.node));
      }
    }
    return made;
  }

  const Syntax* assignment(const Node& node)
  {
    const std::vector<Part> parts = parts_of(node);
    const Syntax* target = build_field(parts, "left");
    const Syntax* value = build_field(parts, "right");
    if (target == nullptr) {
      return make(node, SyntaxKind::broken);
    }
    const SyntaxKind kind = value == nullptr ? SyntaxKind::annotate : SyntaxKind::assign;
    return with(node, kind, {target, value});
  }

  const Syntax* import_name(const Node& node)
  {
    const std::vector<Part> parts = parts_of(node);
    Syntax* made = make(node, SyntaxKind::import_name);
    if (node.kind() == "aliased_import") {
      const std::optional<Node> name = field(parts, "name");
      const std::optional<Node> alias = field(parts, "alias");
      made->text = name ? text_of(*name) : std::string_view();
      made->extra = alias ? text_of(*alias) : std::string_view();
    }
    return made;
  }

  const Syntax* import(const Node& node, std::string_view kind)
  {
    const std::vector<Part> parts = parts_of(node);
    Syntax* made =
        make(node, kind == "import_statement" ? SyntaxKind::import : SyntaxKind::import_from);
    made->text = {};
    for (const Part& part : parts) {
      if (part.field == "module_name") {
        std::string_view module = text_of(part.node);
        while (module.starts_with('.')) {
          ++made->level;
          module.remove_prefix(1);
        }
        made->text = trim(module);
      } else if (part.field == "name" || part.node.kind() == "wildcard_import") {
        made->children.push_back(import_name(part.node));
      }
    }
    return made;
  }

  const Syntax* else_of(const std::vector<Part>& parts)
  {
    for (const Part& part : parts) {
      if (part.node.kind() == "else_clause") {
        return build_field(parts_of(part.node), "body");
      }
    }
    return nullptr;
  }

  const Syntax* if_statement(const Node& node)
  {
    const std::vector<Part> parts = parts_of(node);
    const Syntax* otherwise = else_of(parts);
    // `elif` chains nest from the last to the first, as deep as other code may.
    auto left = static_cast<size_t>(std::ranges::count_if(
        parts, [](const Part& part) { return part.node.kind() == "elif_clause"; }));
    const size_t most = m_max_nesting - m_depth;
    otherwise = left > most ? make(node, SyntaxKind::broken) : otherwise;
    for (auto it = parts.rbegin(); it != parts.rend(); ++it) {
      if (it->node.kind() == "elif_clause" && left-- <= most) {
        const std::vector<Part> inner = parts_of(it->node);
        otherwise =
            with(it->node,
                 SyntaxKind::if_,
                 {build_field(inner, "condition"), build_field(inner, "consequence"), otherwise});
      }
    }
    return with(node,
                SyntaxKind::if_,
                {build_field(parts, "condition"), build_field(parts, "consequence"), otherwise});
  }

  const Syntax* handler(const Node& node)
  {
    Syntax* made = with(node, SyntaxKind::handler, {nullptr, nullptr});
    made->text = {};
    for (const Part& part : parts_of(node)) {
      if (part.node.kind() == "block") {
        made->children[1] = build(part.node);
      } else if (part.node.kind() == "as_pattern") {
        const std::vector<Part> inner = parts_of(part.node);
        made->children[0] = inner.empty() ? nullptr : build(inner.front().node);
        made->text = inner.size() > 1 ? text_of(inner.back().node) : std::string_view();
      } else if (made->children[0] == nullptr) {
        made->children[0] = build(part.node);
      } else {
        made->text = text_of(part.node);
      }
    }
    return made;
  }

  const Syntax* try_statement(const Node& node)
  {
    const std::vector<Part> parts = parts_of(node);
    Syntax* made = with(node, SyntaxKind::try_, {build_field(parts, "body")});
    const Syntax* last = nullptr;
    for (const Part& part : parts) {
      if (part.node.kind().starts_with("except")) {
        made->children.push_back(handler(part.node));
        ++made->split;
      } else if (part.node.kind() == "finally_clause") {
        const std::vector<Part> inner = parts_of(part.node);
        last = inner.empty() ? nullptr : build(inner.back().node);
      }
    }
    made->children.push_back(else_of(parts));
    made->children.push_back(last);
    return made;
  }

  const Syntax* with_statement(const Node& node)
  {
    Syntax* made = make(node, SyntaxKind::with);
    const Syntax* body = nullptr;
    for (const Part& part : parts_of(node)) {
      if (part.field == "body") {
        body = build(part.node);
        continue;
      }
      for (const Part& item : parts_of(part.node)) {
        const std::vector<Part> inner = parts_of(item.node);
        if (inner.empty()) {
          continue;
        }
        const Node& value = inner.front().node;
        if (value.kind() == "as_pattern") {
          const std::vector<Part> as = parts_of(value);
          const std::vector<Part> target =
              as.size() > 1 ? parts_of(as.back().node) : std::vector<Part>();
          made->children.push_back(with(item.node,
                                        SyntaxKind::with_item,
                                        {as.empty() ? nullptr : build(as.front().node),
                                         target.empty() ? nullptr : build(target.front().node)}));
        } else {
          made->children.push_back(with(item.node, SyntaxKind::with_item, {build(value), nullptr}));
        }
      }
    }
    made->children.push_back(body);
    return made;
  }

  const Syntax* parameters(const Node& node)
  {
    Syntax* made = make(node, SyntaxKind::parameters);
    for (const Part& part : parts_of(node)) {
      made->children.push_back(parameter(part.node));
    }
    return made;
  }

  const Syntax* parameter(const Node& node)
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

  const Syntax* definition(const Node& node, const std::vector<const Syntax*>& decorators)
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

  const Syntax* match(const Node& node)
  {
    const std::vector<Part> parts = parts_of(node);
    Syntax* made = make(node, SyntaxKind::match_);
    std::vector<Part> cases = parts;
    if (const std::optional<Node> body = field(parts, "body")) {
      cases = parts_of(*body);
    }
    for (const Part& part : cases) {
      if (part.node.kind() == "case_clause") {
        made->children.push_back(with(
            part.node, SyntaxKind::match_case, {build_field(parts_of(part.node), "consequence")}));
      }
    }
    return made;
  }

  SyntaxFile& m_file;
  std::string_view m_text;
  uint32_t m_number;
  size_t m_max_nesting;
  size_t m_depth = 0;
};

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
