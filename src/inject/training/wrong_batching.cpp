#include "inject/training.hpp"

namespace faultline::inject {

static void find(const Subject& subject, std::string_view /*setting*/, Mutations& found)
{
  const Code code(subject);
  for (const Call& loader : training_loaders_of(code)) {
    if (loader.find("drop_last") == nullptr && loader.find("batch_sampler") == nullptr &&
        loader.find("batch_size", 1) != nullptr && !loader.has_stars) {
      found.push_back(
          mutation({add_argument(loader, "drop_last=True")}, loader.node.text(), "drop_last=True"));
    }
  }
  for (const Node& slice : nodes_of(code.root(), "slice")) {
    const std::vector<Node> ends = slice.named_children();
    const bool is_batch = ends.size() == 2 && ends[1].kind() == "binary_operator" &&
                          ends[1].child("operator")->kind() == "+" &&
                          ends[1].child("left")->text() == ends[0].text() &&
                          ends[1].child("right")->text().find("atch") != std::string_view::npos;
    if (is_batch) {
      found.push_back(mutation({insert_behind(ends[1], " - 1")}, slice.text(), "- 1"));
    }
  }
}

extern const Operator wrong_batching;
const Operator wrong_batching{
    .name = "wrong-batches",
    .acronym = "",
    .summary = "Cuts the data into the wrong batches",
    .type = "training/hyperparameters/wrongly-implemented-data-batching",
    .level = Level::dl,
    .find = find,
};

} // namespace faultline::inject
