#include "program/syntax/builder.hpp"

namespace faultline::program {

using source::Cursor;

namespace {

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

} // namespace

const std::unordered_map<std::string_view, SyntaxBuilder::Conversion> SyntaxBuilder::k_conversions =
    {
        {"parenthesized_expression", &SyntaxBuilder::inner},
        {"with_clause", &SyntaxBuilder::inner},
        {"type", &SyntaxBuilder::inner},
        {"interpolation", &SyntaxBuilder::inner},
        {"chevron", &SyntaxBuilder::inner},
        {"integer", &SyntaxBuilder::number},
        {"float", &SyntaxBuilder::number},
        {"string", &SyntaxBuilder::string},
        {"concatenated_string", &SyntaxBuilder::string},
        {"call", &SyntaxBuilder::call},
        {"attribute", &SyntaxBuilder::attribute},
        {"subscript", &SyntaxBuilder::subscript},
        {"slice", &SyntaxBuilder::slice},
        {"binary_operator", &SyntaxBuilder::operation},
        {"unary_operator", &SyntaxBuilder::operation},
        {"augmented_assignment", &SyntaxBuilder::operation},
        {"boolean_operator", &SyntaxBuilder::both_or_either},
        {"comparison_operator", &SyntaxBuilder::comparison},
        {"pair", &SyntaxBuilder::pair},
        {"keyword_argument", &SyntaxBuilder::named_value},
        {"named_expression", &SyntaxBuilder::named_value},
        {"lambda", &SyntaxBuilder::lambda},
        {"list_comprehension", &SyntaxBuilder::comprehension},
        {"set_comprehension", &SyntaxBuilder::comprehension},
        {"dictionary_comprehension", &SyntaxBuilder::comprehension},
        {"generator_expression", &SyntaxBuilder::comprehension},
        {"expression_statement", &SyntaxBuilder::expression},
        {"assignment", &SyntaxBuilder::assignment},
        {"global_statement", &SyntaxBuilder::names_of_outer_scope},
        {"nonlocal_statement", &SyntaxBuilder::names_of_outer_scope},
        {"import_statement", &SyntaxBuilder::import},
        {"import_from_statement", &SyntaxBuilder::import},
        {"future_import_statement", &SyntaxBuilder::import},
        {"if_statement", &SyntaxBuilder::if_statement},
        {"for_statement", &SyntaxBuilder::for_statement},
        {"while_statement", &SyntaxBuilder::while_statement},
        {"try_statement", &SyntaxBuilder::try_statement},
        {"with_statement", &SyntaxBuilder::with_statement},
        {"match_statement", &SyntaxBuilder::match},
        {"function_definition", &SyntaxBuilder::undecorated},
        {"class_definition", &SyntaxBuilder::undecorated},
        {"decorated_definition", &SyntaxBuilder::decorated},
};

const Syntax* SyntaxBuilder::build(const Node& node)
{
  if (m_depth >= m_max_nesting) {
    return make(node, SyntaxKind::broken);
  }
  ++m_depth;
  const Syntax* made = convert(node);
  --m_depth;
  return made;
}

Syntax* SyntaxBuilder::make(const Node& node, SyntaxKind kind)
{
  Syntax& made = m_file.m_nodes.emplace_back();
  made.kind = kind;
  made.span = {
      m_number, static_cast<uint32_t>(node.begin_byte()), static_cast<uint32_t>(node.end_byte())};
  made.text = text_of(node);
  return &made;
}

std::string_view SyntaxBuilder::text_of(const Node& node) const
{
  return m_text.substr(node.begin_byte(), node.end_byte() - node.begin_byte());
}

std::vector<SyntaxBuilder::Part> SyntaxBuilder::parts_of(const Node& node)
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

std::optional<SyntaxBuilder::Node> SyntaxBuilder::field(const std::vector<Part>& parts,
                                                        std::string_view name)
{
  for (const Part& part : parts) {
    if (part.field == name) {
      return part.node;
    }
  }
  return std::nullopt;
}

const Syntax* SyntaxBuilder::build_field(const std::vector<Part>& parts, std::string_view name)
{
  const std::optional<Node> node = field(parts, name);
  return node ? build(*node) : nullptr;
}

const Syntax* SyntaxBuilder::plain(const Node& node, SyntaxKind kind)
{
  Syntax* made = make(node, kind);
  for (const Part& part : parts_of(node)) {
    made->children.push_back(build(part.node));
  }
  return made;
}

Syntax* SyntaxBuilder::with(const Node& node, SyntaxKind kind, std::vector<const Syntax*> children)
{
  Syntax* made = make(node, kind);
  made->children = std::move(children);
  return made;
}

Syntax* SyntaxBuilder::with_fields(const Node& node, SyntaxKind kind)
{
  Syntax* made = make(node, kind);
  for (const Part& part : parts_of(node)) {
    if (!part.field.empty() && part.field != "operator") {
      made->children.push_back(build(part.node));
    }
  }
  return made;
}

std::string_view SyntaxBuilder::sign_of(const Node& node, std::string_view text)
{
  const std::optional<Node> sign = node.child("operator");
  return sign ? text.substr(sign->begin_byte(), sign->end_byte() - sign->begin_byte())
              : std::string_view();
}

const Syntax* SyntaxBuilder::convert(const Node& node)
{
  const std::string_view kind = node.kind();
  if (const auto leaf = k_leaf_kinds.find(kind); leaf != k_leaf_kinds.end()) {
    return make(node, leaf->second);
  }
  if (const auto simple = k_plain_kinds.find(kind); simple != k_plain_kinds.end()) {
    return plain(node, simple->second);
  }
  if (node.is_error()) {
    return error(node);
  }
  const auto found = k_conversions.find(kind);
  return found != k_conversions.end() ? (this->*found->second)(node)
                                      : make(node, SyntaxKind::broken);
}

const Syntax* SyntaxBuilder::inner(const Node& node)
{
  const std::vector<Part> parts = parts_of(node);
  return parts.empty() ? make(node, SyntaxKind::broken) : build(parts.front().node);
}

const Syntax* SyntaxBuilder::error(const Node& node)
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

} // namespace faultline::program
