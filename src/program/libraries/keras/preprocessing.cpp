// keras.preprocessing: Tokenizer and ImageDataGenerator.

#include "program/libraries/keras/keras.hpp"
#include "program/libraries/shared/answers.hpp"
#include "program/libraries/tensorflow/tf.hpp"
#include "program/names/tables.hpp"

namespace faultline::program {

namespace {

using keras::array;

const Call* made_by(const Call& call)
{
  const auto* object = as<Instance>(call.self);
  return object != nullptr ? object->made_by : nullptr;
}

// --- Text. ---

Dim count_of(Machine& machine, Ref texts)
{
  if (const auto* list = as<Sequence>(texts)) {
    return list->length();
  }
  const auto* tensor = as<Tensor>(texts);
  return tensor != nullptr ? tensor->shape.at(0) : machine.fresh_symbol();
}

// Indices run from 1; num_words itself is never used.
Ref texts_to_sequences(Machine& machine, Call& call)
{
  const Call* made = made_by(call);
  const auto words = made != nullptr ? machine.to_int(made->arg("num_words")) : std::nullopt;
  Tensor* tokens = array(machine,
                         call,
                         Shape::of({count_of(machine, tf::argument(call, 1))}),
                         DType::Kind::object,
                         words ? Interval::of(1, static_cast<double>(*words - 1))
                               : Interval::of(1, Interval::k_inf));
  tokens->encoding = Encoding::token;
  const auto* texts = as<Tensor>(tf::argument(call, 1));
  tokens->source = texts != nullptr ? texts->source : nullptr;
  return tokens;
}

Ref to_matrix(Machine& machine, Call& call)
{
  const Call* made = made_by(call);
  const Ref words = made != nullptr ? made->arg("num_words") : nullptr;
  const auto mode = machine.to_string(call.arg("mode"));
  Tensor* matrix =
      array(machine,
            call,
            Shape::of({count_of(machine, tf::argument(call, 1)), machine.to_dim(words)}),
            DType::Kind::float64,
            Interval::of(0, mode == "binary" || mode == "freq" ? 1 : Interval::k_inf));
  const auto* given = as<Tensor>(tf::argument(call, 1));
  matrix->source = given != nullptr ? given->source : nullptr;
  return matrix;
}

Ref one_hot_text(Machine& machine, Call& call)
{
  const auto words = machine.to_int(call.arg("n"));
  return machine.open_list(
      machine.number(Interval::of(1, words ? static_cast<double>(*words) : Interval::k_inf), true));
}

// --- Images. ---

// Values after rescale, or unknown if the generator computes statistics or calls a function.
Interval generated(Machine& machine, const Call* made, Interval pixels)
{
  if (made == nullptr) {
    return Interval::top();
  }
  for (const std::string_view name : {"featurewise_center",
                                      "samplewise_center",
                                      "featurewise_std_normalization",
                                      "samplewise_std_normalization",
                                      "zca_whitening"}) {
    if (machine.truthiness(made->arg(name)).value_or(true)) {
      return Interval::top();
    }
  }
  const Ref function = made->arg("preprocessing_function");
  if (function != nullptr && !machine.is_none(function)) {
    return Interval::top();
  }
  const Ref scale = made->arg("rescale");
  if (scale == nullptr || machine.is_none(scale)) {
    return pixels;
  }
  return pixels.times(machine.to_interval(scale));
}

Ref generator(Machine& machine, Call& call, Ref batch)
{
  Instance* made = machine.instance(*find_api("keras.preprocessing.image.Iterator"), &call);
  made->attributes["batch"] = batch;
  return made;
}

Ref flow(Machine& machine, Call& call)
{
  const Tensor* x = tf::operand(machine, call.arg("x"));
  Tensor* images = array(machine,
                         call,
                         x->shape.rank() >= 1 ? x->shape.with(0, Dim::batch()) : Shape::top(),
                         DType::Kind::float32,
                         generated(machine, made_by(call), x->interval));
  images->encoding = x->encoding;
  images->source = x->source;
  const Ref labels = call.arg("y");
  if (labels == nullptr || machine.is_none(labels)) {
    return generator(machine, call, images);
  }
  const Tensor* y = tf::operand(machine, labels);
  if (x->shape.rank() >= 1 && y->shape.rank() >= 1 &&
      x->shape.at(0).compare(y->shape.at(0)) == Dim::Comparison::different) {
    machine.problem(ProblemKind::sample_count,
                    keras::place(call, "y"),
                    "images and labels differ in number: " + x->shape.text() + " and " +
                        y->shape.text(),
                    &call);
  }
  Tensor* batch = machine.like(call, *y);
  batch->shape = y->shape.rank() >= 1 ? y->shape.with(0, Dim::batch()) : Shape::top();
  batch->literal = nullptr;
  return generator(machine, call, machine.tuple({images, batch}));
}

Ref flow_from_files(Machine& machine, Call& call)
{
  const auto size = machine.to_dims(call.arg("target_size"));
  const bool known = size && size->size() == 2;
  const auto colours = machine.to_string(call.arg("color_mode"));
  Tensor* images = array(machine,
                         call,
                         Shape::of({Dim::batch(),
                                    known ? (*size)[0] : Dim::top(),
                                    known ? (*size)[1] : Dim::top(),
                                    Dim::constant(colours == "grayscale" ? 1
                                                  : colours == "rgba"    ? 4
                                                                         : 3)}),
                         DType::Kind::float32,
                         generated(machine, made_by(call), Interval::of(0, 255)));
  images->encoding = Encoding::image;
  const Ref mode = call.arg("class_mode");
  if (machine.is_none(mode)) {
    return generator(machine, call, images);
  }
  const auto* names = as<Sequence>(call.arg("classes"));
  const int64_t classes =
      names != nullptr && !names->open ? static_cast<int64_t>(names->items.size()) : 0;
  const auto way = machine.to_string(mode);
  Ref labels = machine.unknown();
  if (way == "categorical") {
    Tensor* y = array(machine,
                      call,
                      Shape::of({Dim::batch(), classes > 0 ? Dim::constant(classes) : Dim::top()}),
                      DType::Kind::float32,
                      Interval::of(0, 1));
    y->encoding = Encoding::one_hot;
    y->classes = classes;
    labels = y;
  } else if (way == "binary" || way == "sparse") {
    const bool binary = way == "binary";
    Tensor* y = array(machine,
                      call,
                      Shape::of({Dim::batch()}),
                      DType::Kind::float32,
                      Interval::of(0,
                                   binary        ? 1
                                   : classes > 0 ? static_cast<double>(classes - 1)
                                                 : Interval::k_inf));
    y->encoding = binary ? Encoding::binary : Encoding::class_index;
    y->classes = binary ? 2 : classes;
    labels = y;
  } else if (way == "input") {
    labels = images;
  }
  return generator(machine, call, machine.tuple({images, labels}));
}

Ref next_batch(Machine& machine, Call& call)
{
  const auto* object = as<Instance>(call.self);
  if (object == nullptr) {
    return machine.unknown();
  }
  const auto batch = object->attributes.find("batch");
  return batch != object->attributes.end() ? batch->second : machine.unknown();
}

Ref batch_size(Machine& machine, Call& call)
{
  const Call* made = made_by(call);
  const Ref size = made != nullptr ? made->arg("batch_size") : nullptr;
  return size != nullptr ? size : machine.unknown();
}

constexpr std::string_view k_generator =
    "featurewise_center=False, samplewise_center=False, featurewise_std_normalization=False, "
    "samplewise_std_normalization=False, zca_whitening=False, zca_epsilon=1e-06, rotation_range=0, "
    "width_shift_range=0.0, height_shift_range=0.0, brightness_range=None, shear_range=0.0, "
    "zoom_range=0.0, channel_shift_range=0.0, fill_mode='nearest', cval=0.0, "
    "horizontal_flip=False, "
    "vertical_flip=False, rescale=None, preprocessing_function=None, data_format=None, "
    "validation_split=0.0, dtype=None, **kwargs";

constexpr std::string_view k_image = "keras.preprocessing.image.ImageDataGenerator";

// One row a line.
// clang-format off
constexpr Api k_rows[] = {
    {"keras.preprocessing.text.Tokenizer", "num_words=None, filters=None, lower=True, split=' ', char_level=False, oov_token=None, **kwargs", Role::object, "tokenizer", 0, keras::make_object},
    {"keras.preprocessing.text.Tokenizer.fit_on_texts", "texts", Role::method, "fit_tokenizer", 0, tf::nothing},
    {"keras.preprocessing.text.Tokenizer.fit_on_sequences", "sequences", Role::method, "fit_tokenizer", 0, tf::nothing},
    {"keras.preprocessing.text.Tokenizer.texts_to_sequences", "texts", Role::method, "tokenize", 0, texts_to_sequences},
    {"keras.preprocessing.text.Tokenizer.texts_to_matrix", "texts, mode='binary'", Role::method, "tokenize", 0, to_matrix},
    {"keras.preprocessing.text.Tokenizer.sequences_to_matrix", "sequences, mode='binary'", Role::method, "tokenize", 0, to_matrix},
    {"keras.preprocessing.text.Tokenizer.sequences_to_texts", "sequences", Role::opaque},
    {"keras.preprocessing.text.Tokenizer.to_json", "**kwargs", Role::opaque},
    {"keras.preprocessing.text.Tokenizer.get_config", "", Role::opaque},
    {"keras.preprocessing.text.Tokenizer.word_index", {}, Role::attribute, {}, 0, answers::dict},
    {"keras.preprocessing.text.Tokenizer.index_word", {}, Role::attribute, {}, 0, answers::dict},
    {"keras.preprocessing.text.Tokenizer.word_counts", {}, Role::attribute, {}, 0, answers::dict},
    {"keras.preprocessing.text.Tokenizer.word_docs", {}, Role::attribute, {}, 0, answers::dict},
    {"keras.preprocessing.text.Tokenizer.document_count", {}, Role::attribute, {}, 0, answers::count},
    {"keras.preprocessing.text.Tokenizer.num_words", {}, Role::attribute},
    {"keras.preprocessing.text.Tokenizer.oov_token", {}, Role::attribute},
    {"keras.preprocessing.text.one_hot", "input_text, n, **kwargs", Role::function, {}, 0, one_hot_text},
    {"keras.preprocessing.text.hashing_trick", "text, n, **kwargs", Role::function, {}, 0, one_hot_text},
    {"keras.preprocessing.text.text_to_word_sequence", "input_text, **kwargs", Role::opaque},
    {"keras.preprocessing.text.tokenizer_from_json", "json_string", Role::opaque},
    {"keras.preprocessing.sequence.skipgrams", "sequence, vocabulary_size, **kwargs", Role::opaque},
    {"keras.preprocessing.sequence.make_sampling_table", "size, **kwargs", Role::opaque},

    {k_image, k_generator, Role::object, "image_generator"},
    {"keras.preprocessing.image.ImageDataGenerator.fit", "x, augment=False, rounds=1, seed=None", Role::method, "fit_generator_statistics", 0, tf::nothing},
    {"keras.preprocessing.image.ImageDataGenerator.flow", "x, y=None, batch_size=32, shuffle=True, sample_weight=None, seed=None, save_to_dir=None, save_prefix='', save_format='png', subset=None, **kwargs", Role::method, "flow", 0, flow},
    {"keras.preprocessing.image.ImageDataGenerator.flow_from_directory", "directory, target_size=(256, 256), color_mode='rgb', classes=None, class_mode='categorical', batch_size=32, shuffle=True, seed=None, save_to_dir=None, save_prefix='', save_format='png', follow_links=False, subset=None, interpolation='nearest', **kwargs", Role::method, "flow_from_directory", 0, flow_from_files},
    {"keras.preprocessing.image.ImageDataGenerator.flow_from_dataframe", "dataframe, directory=None, x_col='filename', y_col='class', weight_col=None, target_size=(256, 256), color_mode='rgb', classes=None, class_mode='categorical', batch_size=32, shuffle=True, seed=None, **kwargs", Role::method, "flow_from_directory", 0, flow_from_files},
    {"keras.preprocessing.image.ImageDataGenerator.random_transform", "x, seed=None", Role::opaque},
    {"keras.preprocessing.image.ImageDataGenerator.standardize", "x", Role::opaque},
    {"keras.preprocessing.image.ImageDataGenerator.apply_transform", "x, transform_parameters", Role::opaque},
    {"keras.preprocessing.image.ImageDataGenerator.mean", {}, Role::attribute},
    {"keras.preprocessing.image.ImageDataGenerator.std", {}, Role::attribute},
    {"keras.preprocessing.image.Iterator", "n, batch_size, shuffle, seed", Role::loader, "generator"},
    {"keras.preprocessing.image.Iterator.__iter__", "", Role::method, "next_batch", 0, next_batch},
    {"keras.preprocessing.image.Iterator.__next__", "", Role::method, "next_batch", 0, next_batch},
    {"keras.preprocessing.image.Iterator.next", "", Role::method, "next_batch", 0, next_batch},
    {"keras.preprocessing.image.Iterator.reset", "", Role::opaque},
    {"keras.preprocessing.image.Iterator.on_epoch_end", "", Role::opaque},
    {"keras.preprocessing.image.Iterator.samples", {}, Role::attribute, {}, 0, answers::count},
    {"keras.preprocessing.image.Iterator.n", {}, Role::attribute, {}, 0, answers::count},
    {"keras.preprocessing.image.Iterator.nb_sample", {}, Role::attribute, {}, 0, answers::count},
    {"keras.preprocessing.image.Iterator.num_classes", {}, Role::attribute, {}, 0, answers::count},
    {"keras.preprocessing.image.Iterator.batch_size", {}, Role::attribute, {}, 0, batch_size},
    {"keras.preprocessing.image.Iterator.classes", {}, Role::attribute},
    {"keras.preprocessing.image.Iterator.class_indices", {}, Role::attribute, {}, 0, answers::dict},
    {"keras.preprocessing.image.Iterator.filenames", {}, Role::attribute},
    {"keras.preprocessing.image.Iterator.filepaths", {}, Role::attribute},
    {"keras.preprocessing.image.Iterator.labels", {}, Role::attribute},
    {"keras.preprocessing.image.Iterator.image_shape", {}, Role::attribute},
    {"keras.preprocessing.image.Iterator.target_size", {}, Role::attribute},
    {"keras.preprocessing.image.random_rotation", "x, rg, **kwargs", Role::opaque},
    {"keras.preprocessing.image.random_shift", "x, wrg, hrg, **kwargs", Role::opaque},
    {"keras.preprocessing.image.random_zoom", "x, zoom_range, **kwargs", Role::opaque},
    {"keras.preprocessing.image.random_shear", "x, intensity, **kwargs", Role::opaque},
    {"keras.preprocessing.image.apply_affine_transform", "x, **kwargs", Role::opaque},
};
// clang-format on

} // namespace

std::span<const Api> keras_preprocessing()
{
  return k_rows;
}

} // namespace faultline::program
