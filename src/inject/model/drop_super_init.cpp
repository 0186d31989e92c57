#include "inject/patterns.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& call : code.calls()) {
    const std::optional<Node> statement = statement_of(call.node);
    const bool is_super = call.callee.kind() == "attribute" &&
                          call.callee.child("attribute")->text() == "__init__" &&
                          call.callee.child("object")->text().starts_with("super(");
    const std::optional<Node> type = enclosing(call.node, {"class_definition"});
    const bool is_model = type && type->child("superclasses") &&
                          type->child("superclasses")->text().find("Mod") != std::string_view::npos;
    if (is_super && is_model && statement->kind() == "expression_statement") {
      found.push_back(mutation({remove_statement(code, *statement)}, call.node.text(), ""));
    }
  }
}

extern const Operator drop_super_init;
const Operator drop_super_init{
    .name = "remove-super-init",
    .acronym = "",
    .summary = "No longer initialises the base of a model",
    .type = "model/model-type-and-properties/wrong-model-initialisation",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
