// Pooling layers.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/keras/layers.hpp"
#include "program/libraries/keras/transfers.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace keras {

Ref pool(Machine& machine, Call& call)
{
  const Tensor* x = begin(machine, call);
  const auto axes = static_cast<size_t>(call.api->number);
  if (!expect_rank(machine, call, *x, axes + 2)) {
    return end_plain(machine, call, moved(machine, call, *x, Shape::of_rank(axes + 2)));
  }
  const Sliding way = sliding(machine, call, "pool_size", axes);
  return end_plain(
      machine, call, moved(machine, call, *x, slid(machine, call, *x, way, axes, std::nullopt)));
}

} // namespace keras

namespace {

Ref global_pool(Machine& machine, Call& call)
{
  const Tensor* x = keras::begin(machine, call);
  const auto axes = static_cast<size_t>(call.api->number);
  const bool keep = machine.truthiness(call.setting_value("keepdims")).value_or(false);
  const bool fits = keras::expect_rank(machine, call, *x, axes + 2);
  Shape shape = Shape::of_rank(keep ? axes + 2 : 2);
  if (fits && x->shape.has_rank()) {
    const bool first = keras::channels_first(machine, call);
    const Dim channels = x->shape.at(first ? 1 : -1);
    if (keep) {
      for (size_t i = 0; i < axes; ++i) {
        shape = shape.with(static_cast<int64_t>(i + (first ? 2 : 1)), Dim::constant(1));
      }
      shape = shape.with(0, x->shape.at(0)).with(first ? 1 : -1, channels);
    } else {
      shape = Shape::of({x->shape.at(0), channels});
    }
  }
  return keras::end_plain(machine, call, keras::moved(machine, call, *x, shape));
}

constexpr Api
pooling(std::string_view name, std::string_view signature, std::string_view op, int rank)
{
  return {name, signature, Role::layer, op, k_pooling, keras::pool, {}, rank};
}
constexpr Api global(std::string_view name, std::string_view op, int rank)
{
  return {name,
          "data_format=None, keepdims=False, **kwargs",
          Role::layer,
          op,
          k_pooling | k_global,
          global_pool,
          {},
          rank};
}

constexpr std::string_view k_one =
    "pool_size=2, strides=None, padding='valid', data_format=None, **kwargs";
constexpr std::string_view k_two =
    "pool_size=(2, 2), strides=None, padding='valid', data_format=None, **kwargs";
constexpr std::string_view k_three =
    "pool_size=(2, 2, 2), strides=None, padding='valid', data_format=None, **kwargs";

constexpr Api k_rows[] = {
    pooling("keras.layers.MaxPooling1D", k_one, "max_pool", 1),
    pooling("keras.layers.MaxPooling2D", k_two, "max_pool", 2),
    pooling("keras.layers.MaxPooling3D", k_three, "max_pool", 3),
    pooling("keras.layers.AveragePooling1D", k_one, "avg_pool", 1),
    pooling("keras.layers.AveragePooling2D", k_two, "avg_pool", 2),
    pooling("keras.layers.AveragePooling3D", k_three, "avg_pool", 3),
    global("keras.layers.GlobalMaxPooling1D", "max_pool", 1),
    global("keras.layers.GlobalMaxPooling2D", "max_pool", 2),
    global("keras.layers.GlobalMaxPooling3D", "max_pool", 3),
    global("keras.layers.GlobalAveragePooling1D", "avg_pool", 1),
    global("keras.layers.GlobalAveragePooling2D", "avg_pool", 2),
    global("keras.layers.GlobalAveragePooling3D", "avg_pool", 3),
};

} // namespace

std::span<const Api> keras_layers_pool()
{
  return k_rows;
}

} // namespace faultline::program
