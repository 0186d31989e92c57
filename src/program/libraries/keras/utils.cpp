// keras.utils and the wrappers for scikit-learn.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/tensorflow/data.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using keras::array;

Ref to_categorical(Machine& machine, Call& call)
{
  keras::modernise(machine, call);
  const Tensor* y = tf::operand(machine, tf::argument(call, 0));
  const Ref given = call.arg("num_classes");
  Dim classes = given != nullptr ? machine.to_dim(given) : Dim::top();
  if ((given == nullptr || machine.is_none(given)) && y->classes > 0) {
    classes = Dim::constant(y->classes);
  }
  // An axis of size 1 behind the indices goes away.
  Shape shape = y->shape;
  if (shape.rank() >= 2 && shape.at(-1).is(1)) {
    shape = shape.without(*shape.rank() - 1);
  } else if (shape.rank() >= 2 && !shape.at(-1).constant()) {
    shape = Shape::top();
  }
  Tensor* made = array(
      machine, call, shape.plus(Shape::of({classes})), DType::Kind::float32, Interval::of(0, 1));
  made->encoding = Encoding::one_hot;
  made->classes = classes.constant().value_or(0);
  made->source = y->source;
  return made;
}

// Lists of different lengths become rows of one length.
Ref pad_sequences(Machine& machine, Call& call)
{
  const Ref given = call.arg("sequences");
  const auto* list = as<Sequence>(given);
  const Tensor* x = list == nullptr ? tf::operand(machine, given) : nullptr;
  const Dim rows = x != nullptr ? x->shape.at(0) : list->length();
  const Dim length = machine.to_dim(call.arg("maxlen"));
  const Ref type = call.arg("dtype");
  Interval interval = x != nullptr ? x->interval : Interval::top();
  if (interval.is_known()) {
    interval.join(machine.to_interval(call.arg("value")));
  }
  Tensor* made = array(machine,
                       call,
                       Shape::of({rows, length}),
                       type != nullptr ? tf::to_dtype(machine, type).value_or(DType())
                                       : DType(DType::Kind::int32),
                       interval);
  made->encoding = Encoding::token;
  made->source = x != nullptr ? x->source : nullptr;
  return made;
}

Ref normalize(Machine& machine, Call& call)
{
  const Tensor* x = tf::operand(machine, tf::argument(call, 0));
  Tensor* made = array(machine, call, x->shape, DType::Kind::float64, Interval::of(-1, 1));
  made->source = x->source;
  return made;
}

// A picture of the size asked for, as the image library has it.
Ref load_img(Machine& machine, Call& call)
{
  const auto size = machine.to_dims(call.arg("target_size"));
  const bool known = size && size->size() >= 2;
  const auto mode = machine.to_string(call.arg("color_mode"));
  const bool gray =
      mode == "grayscale" || machine.truthiness(call.arg("grayscale")).value_or(false);
  Instance* made = machine.instance(*find_api("keras.utils.load_img.Image"), &call);
  const Shape shape = Shape::of({known ? (*size)[0] : Dim::top(),
                                 known ? (*size)[1] : Dim::top(),
                                 Dim::constant(gray             ? 1
                                               : mode == "rgba" ? 4
                                                                : 3)});
  Tensor* pixels = array(machine, call, shape, DType::Kind::float32, Interval::of(0, 255));
  pixels->encoding = Encoding::image;
  made->attributes["pixels"] = pixels;
  return made;
}

Ref img_to_array(Machine& machine, Call& call)
{
  const Ref image = call.arg("img");
  if (const auto* object = as<Instance>(image)) {
    if (const auto pixels = object->attributes.find("pixels"); pixels != object->attributes.end()) {
      return machine.like(call, *as<Tensor>(pixels->second));
    }
  }
  if (const auto* given = as<Tensor>(image)) {
    Tensor* made = machine.like(call, *given);
    made->dtype = DType::Kind::float32;
    if (given->shape.rank() == 2) {
      made->shape = given->shape.plus(Shape::constants({1}));
    }
    return made;
  }
  Tensor* made =
      array(machine, call, Shape::of_rank(3), DType::Kind::float32, Interval::of(0, 255));
  made->encoding = Encoding::image;
  return made;
}

// Labels as `label_mode` says; null for none.
Tensor* folder_labels(Machine& machine, Call& call, std::string_view mode, int64_t classes)
{
  const Dim known = classes > 0 ? Dim::constant(classes) : Dim::top();
  Tensor* made = nullptr;
  if (mode == "categorical") {
    made = tf::result(
        machine, call, Shape::of({Dim::batch(), known}), DType::Kind::float32, Interval::of(0, 1));
    made->encoding = Encoding::one_hot;
  } else if (mode == "binary") {
    made = tf::result(machine,
                      call,
                      Shape::of({Dim::batch(), Dim::constant(1)}),
                      DType::Kind::float32,
                      Interval::of(0, 1));
    made->encoding = Encoding::binary;
  } else if (mode == "int") {
    made = tf::result(
        machine,
        call,
        Shape::of({Dim::batch()}),
        DType::Kind::int32,
        Interval::of(0, classes > 0 ? static_cast<double>(classes - 1) : Interval::k_inf));
    made->encoding = Encoding::class_index;
  } else {
    return nullptr;
  }
  made->classes = classes;
  made->requires_grad = Truth::no;
  return made;
}

Ref folder_set(Machine& machine, Call& call, Tensor* x)
{
  const Ref mode = call.arg("label_mode");
  const auto* names = as<Sequence>(call.arg("class_names"));
  const int64_t classes =
      names != nullptr && !names->open ? static_cast<int64_t>(names->items.size()) : 0;
  Ref element = x;
  if (!machine.is_none(mode)) {
    Tensor* y = folder_labels(machine, call, machine.to_string(mode).value_or(""), classes);
    element = machine.tuple({x, y != nullptr ? static_cast<Ref>(y) : machine.unknown()});
  }
  const auto one = [&]() { return tf::dataset(machine, call, element, Dim::top()); };
  if (machine.to_string(call.arg("subset")) == "both") {
    return machine.list({one(), one()});
  }
  return one();
}

Ref image_folder(Machine& machine, Call& call)
{
  const auto size = machine.to_dims(call.arg("image_size"));
  const bool known = size && size->size() == 2;
  const auto mode = machine.to_string(call.arg("color_mode"));
  Tensor* x = tf::result(machine,
                         call,
                         Shape::of({Dim::batch(),
                                    known ? (*size)[0] : Dim::top(),
                                    known ? (*size)[1] : Dim::top(),
                                    Dim::constant(mode == "grayscale" ? 1
                                                  : mode == "rgba"    ? 4
                                                                      : 3)}),
                         DType::Kind::float32,
                         Interval::of(0, 255));
  x->encoding = Encoding::image;
  x->requires_grad = Truth::no;
  return folder_set(machine, call, x);
}

Ref text_folder(Machine& machine, Call& call)
{
  Tensor* x = tf::result(machine, call, Shape::of({Dim::batch()}), DType::Kind::string);
  x->encoding = Encoding::text;
  return folder_set(machine, call, x);
}

// Windows over the first axis, and for each the target at its place.
Ref timeseries(Machine& machine, Call& call)
{
  const Tensor* data = tf::operand(machine, call.arg("data"));
  const Ref length =
      call.arg("sequence_length") != nullptr ? call.arg("sequence_length") : call.arg("length");
  const Shape item = data->shape.rank() >= 1 ? data->shape.behind(1) : Shape::top();
  Tensor* x =
      tf::moved(machine, call, *data, Shape::of({Dim::batch(), machine.to_dim(length)}).plus(item));
  const Ref given = call.arg("targets");
  Ref element = x;
  if (given != nullptr && !machine.is_none(given)) {
    const Tensor* targets = tf::operand(machine, given);
    element =
        machine.tuple({x,
                       tf::moved(machine,
                                 call,
                                 *targets,
                                 targets->shape.rank() >= 1 ? targets->shape.with(0, Dim::batch())
                                                            : Shape::top())});
  }
  return tf::dataset(machine, call, element, Dim::top());
}

// KerasClassifier(build_fn=f).fit(x, y) builds the model that the function makes.
Ref wrapped_fit(Machine& machine, Call& call)
{
  auto* wrapper = as<Instance>(call.self);
  if (wrapper == nullptr || wrapper->made_by == nullptr) {
    return machine.unknown();
  }
  Ref function = wrapper->made_by->arg("build_fn");
  if (function == nullptr || machine.is_none(function)) {
    function = wrapper->made_by->arg("model");
  }
  if (function != nullptr && (function->kind == Kind::function || function->kind == Kind::bound)) {
    const Ref model = machine.call(function, std::vector<Ref>{}, call.span);
    machine.touch(*wrapper);
    wrapper->attributes["model"] = model;
  }
  return wrapper;
}

Ref wrapped_predict(Machine& machine, Call& call)
{
  const Tensor* x = tf::operand(machine, call.arg("x"));
  return array(machine, call, Shape::of({x->shape.at(0)}), {}, Interval::top());
}

constexpr std::string_view k_wrapper = "build_fn=None, model=None, **kwargs";

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.utils.to_categorical", "y, num_classes=None, dtype='float32', **kwargs", Role::function, "to_categorical", k_no_gradient, to_categorical},
    {"keras.utils.to_one_hot", "y, num_classes=None, dtype='float32'", Role::function, "to_categorical", k_no_gradient, to_categorical},
    {"keras.utils.pad_sequences", "sequences, maxlen=None, dtype='int32', padding='pre', truncating='pre', value=0.0", Role::function, "pad_sequences", 0, pad_sequences},
    {"keras.utils.normalize", "x, axis=-1, order=2", Role::function, "l2_normalize", 0, normalize},
    {"keras.utils.load_img", "path, grayscale=False, color_mode='rgb', target_size=None, interpolation='nearest', **kwargs", Role::function, "read_image", 0, load_img},
    {"keras.utils.load_img.Image", "", Role::object},
    {"keras.utils.load_img.Image.size", {}, Role::attribute},
    {"keras.utils.load_img.Image.save", "fp, **kwargs", Role::opaque},
    {"keras.utils.load_img.Image.resize", "size, **kwargs", Role::opaque},
    {"keras.utils.load_img.Image.convert", "mode=None, **kwargs", Role::opaque},
    {"keras.utils.img_to_array", "img, data_format=None, dtype=None", Role::function, "from_array", 0, img_to_array},
    {"keras.utils.array_to_img", "x, data_format=None, scale=True, dtype=None", Role::opaque},
    {"keras.utils.save_img", "path, x, **kwargs", Role::opaque},
    {"keras.utils.image_dataset_from_directory", "directory, labels='inferred', label_mode='int', class_names=None, color_mode='rgb', batch_size=32, image_size=(256, 256), shuffle=True, seed=None, validation_split=None, subset=None, **kwargs", Role::function, "flow_from_directory", 0, image_folder},
    {"keras.utils.text_dataset_from_directory", "directory, labels='inferred', label_mode='int', class_names=None, batch_size=32, max_length=None, shuffle=True, seed=None, validation_split=None, subset=None, **kwargs", Role::function, "flow_from_directory", 0, text_folder},
    {"keras.utils.timeseries_dataset_from_array", "data, targets, sequence_length, sequence_stride=1, sampling_rate=1, batch_size=128, shuffle=False, **kwargs", Role::function, "from_slices", 0, timeseries},
    {"keras.preprocessing.sequence.TimeseriesGenerator", "data, targets, length, sampling_rate=1, stride=1, start_index=0, end_index=None, shuffle=False, reverse=False, batch_size=128", Role::function, "from_slices", 0, timeseries},
    {"keras.utils.set_random_seed", "seed", Role::function, "seed", 0, tf::nothing},
    {"keras.utils.get_file", "fname=None, origin=None, **kwargs", Role::opaque},
    {"keras.utils.plot_model", "model, **kwargs", Role::opaque},
    {"keras.utils.model_to_dot", "model, **kwargs", Role::opaque},
    {"keras.utils.print_summary", "model, **kwargs", Role::opaque},
    {"keras.utils.Progbar", "target, **kwargs", Role::opaque},
    {"keras.utils.multi_gpu_model", "model, gpus=None, **kwargs", Role::function, "multi_gpu", 0, tf::first_argument},
    {"keras.utils.Sequence", "**kwargs", Role::dataset, "sequence"},
    {"keras.utils.PyDataset", "workers=1, use_multiprocessing=False, max_queue_size=10", Role::dataset, "sequence"},
    {"keras.utils.Sequence.on_epoch_end", "", Role::opaque},
    {"keras.utils.PyDataset.on_epoch_end", "", Role::opaque},
    {"keras.utils.OrderedEnqueuer", "sequence, **kwargs", Role::opaque},
    {"keras.utils.GeneratorEnqueuer", "generator, **kwargs", Role::opaque},
    {"keras.utils.HDF5Matrix", "datapath, dataset, **kwargs", Role::opaque},
    {"keras.utils.get_custom_objects", "", Role::opaque},
    {"keras.utils.custom_object_scope", "objects", Role::scope, "scope"},
    {"keras.utils.CustomObjectScope", "objects", Role::scope, "scope"},
    {"keras.utils.register_keras_serializable", "package='Custom', name=None", Role::opaque},
    {"keras.saving.register_keras_serializable", "package='Custom', name=None", Role::opaque},
    {"keras.utils.serialize_keras_object", "obj", Role::opaque},
    {"keras.utils.deserialize_keras_object", "config, **kwargs", Role::opaque},
    {"keras.utils.convert_all_kernels_in_model", "model", Role::opaque},
    {"keras.utils.normalize_padding", "value", Role::opaque},
    {"keras.utils.split_dataset", "dataset, **kwargs", Role::opaque},

    {"keras.wrappers.KerasClassifier", k_wrapper, Role::object, "wrapped_model"},
    {"keras.wrappers.KerasRegressor", k_wrapper, Role::object, "wrapped_model", 0, nullptr, "keras.wrappers.KerasClassifier"},
    {"keras.wrappers.KerasClassifier.fit", "x, y=None, **kwargs", Role::method, {}, 0, wrapped_fit},
    {"keras.wrappers.KerasClassifier.predict", "x, **kwargs", Role::method, "predict", k_no_gradient, wrapped_predict},
    {"keras.wrappers.KerasClassifier.predict_proba", "x, **kwargs", Role::opaque},
    {"keras.wrappers.KerasClassifier.score", "x, y=None, **kwargs", Role::opaque},
    {"keras.wrappers.KerasClassifier.get_params", "**kwargs", Role::opaque},
    {"keras.wrappers.KerasClassifier.set_params", "**kwargs", Role::opaque},
    {"keras.wrappers.KerasClassifier.model", {}, Role::attribute},
    {"keras.wrappers.KerasClassifier.classes_", {}, Role::attribute},
};
// clang-format on

} // namespace

std::span<const Api> keras_utils()
{
  return k_rows;
}

} // namespace faultline::program
