#pragma once

// Layers and activations of PyTorch and Keras models, wherever a program may write them.

#include "inject/patterns.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::inject {

enum class Framework { torch, keras };

struct Layer {
  enum class Place {
    item,    // of Sequential(…), or of a list
    added,   // model.add(…), layers.append(…)
    named,   // self.fc1 = …, used as self.fc1(x)
    applied, // Dense(…)(x)
    other
  };
  Call call;
  Framework framework = Framework::torch;
  std::string type; // "Linear", "Dense"
  Place place = Place::other;
  std::string variable;        // "self.fc1" if named
  std::vector<Call> uses = {}; // of a named one: the calls `self.fc1(x)`
  Node owner;                  // what the model is written in: class, Sequential(…), or function

  bool is(std::initializer_list<std::string_view> types) const;
  bool has_weights() const; // Linear, Dense, convolutions and recurrent ones
  // What says how wide it is: `out_features`, `out_channels`, `units`, `filters`; null if unknown.
  const Argument* width() const;
  // PyTorch: `in_features`, `in_channels`, `input_size`, `num_features`; null otherwise.
  const Argument* input_width() const;
};

// The argument that says whether a layer has a bias.
struct BiasSwitch {
  std::string keyword;             // "bias", "use_bias"
  const Argument* given = nullptr; // null if it is left out, which means that there is one
};
std::optional<BiasSwitch> bias_switch_of(const Layer& layer); // nothing for one that never has any

std::vector<Layer> layers_of(const Code& code);

// The last layer with weights of its owner.
bool is_output(const Layer& layer, const std::vector<Layer>& layers);

// The program without this layer, or with another behind it (written as a whole: `nn.ReLU()`, which
// must have no weights of its own if `layer` is a named one). Nothing where that cannot be done.
std::optional<std::vector<Edit>> without(const Code& code, const Layer& layer);
std::optional<std::vector<Edit>>
followed_by(const Code& code, const Layer& layer, const std::string& other);

// One place where an activation function is asked for.
struct Activation {
  std::string kind;                  // "relu", as Keras calls it
  Node node;                         // the expression to show
  std::optional<Call> function = {}; // F.relu(x), torch.relu(x), x.relu(), tf.nn.relu(x)
  std::optional<Layer> layer = {};   // nn.ReLU(), Activation("relu")
  std::optional<Layer> of = {};      // activation="relu" of this layer
  const Argument* argument() const;  // that argument
  bool is_last = false;              // behind the last layer with weights
};

std::vector<Activation> activations_of(const Code& code);

std::optional<std::vector<Edit>> without(const Code& code, const Activation& activation);
std::optional<std::vector<Edit>>
replaced(const Code& code, const Activation& activation, std::string_view kind);

// For Operator::setting: one activation after the other, those that are given at the end.
Setting activation_setting(std::initializer_list<std::string_view> more = {});

// "torch.nn.ReLU" of "relu"; empty if the framework has none.
std::string layer_name(Framework framework, std::string_view kind);

} // namespace faultline::inject
