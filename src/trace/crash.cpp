#include "trace/crash.hpp"

#include "trace/facts.hpp"

#include <algorithm>

namespace faultline::trace {

namespace {

struct Phrase {
  CrashCause cause;
  std::string_view text;
};

// Messages of PyTorch 1.x and 2.x and of TensorFlow.js 3 and 4. The first that matches decides, so
// specific ones come first.
constexpr Phrase k_phrases[] = {
    {CrashCause::second_fit, "another fit() call is ongoing"},

    {CrashCause::missing_call, "needs to be compiled before being used"},
    {CrashCause::missing_call, "must compile"},
    {CrashCause::missing_call, "before Module.__init__() call"},
    {CrashCause::missing_call, "before parameter initialization"},

    {CrashCause::deprecated, "invalid index of a 0-dim tensor"},
    {CrashCause::deprecated, "has been removed"},
    {CrashCause::deprecated, "was removed"},
    {CrashCause::deprecated, "is deprecated"},
    {CrashCause::deprecated, "module 'torch' has no attribute"},
    {CrashCause::deprecated, "module 'torch.nn' has no attribute"},
    {CrashCause::deprecated, "module 'torch.nn.functional' has no attribute"},
    {CrashCause::deprecated, "module 'torch.optim' has no attribute"},
    {CrashCause::deprecated, "module 'numpy' has no attribute"},

    {CrashCause::memory, "out of memory"},
    {CrashCause::memory, "can't allocate memory"},
    {CrashCause::memory, "not enough memory"},
    {CrashCause::memory, "unable to allocate"},
    {CrashCause::memory, "array buffer allocation failed"},
    {CrashCause::memory, "invalid array buffer length"},

    {CrashCause::device, "on the same device"},
    {CrashCause::device, "not compiled with cuda"},
    {CrashCause::device, "cuda gpus are available"},
    {CrashCause::device, "nvidia driver"},
    {CrashCause::device, "invalid device ordinal"},
    {CrashCause::device, "deserialize object on a cuda device"},
    {CrashCause::device, "device type tensor to numpy"},
    {CrashCause::device, "expects device type"},
    {CrashCause::device, "type (torch.cuda."},
    {CrashCause::device, "but got backend"},

    {CrashCause::backward, "backward through the graph a second time"},
    {CrashCause::backward, "modified by an inplace operation"},
    {CrashCause::backward, "does not require grad"},
    {CrashCause::backward, "appears to not have been used in the graph"},
    {CrashCause::backward, "cannot find a connection between any variable"},
    {CrashCause::backward, "implicitly created only for scalar outputs"},
    {CrashCause::backward, "a leaf variable that requires grad"},

    {CrashCause::disposed, "tensor is disposed"},
    {CrashCause::disposed, "is already disposed"},
    {CrashCause::disposed, "has already been disposed"},

    {CrashCause::declared_shape, "error when checking"},
    {CrashCause::declared_shape, "is incompatible with layer"},

    {CrashCause::element_count, "is invalid for input of size"},
    {CrashCause::element_count, "cannot reshape"},
    {CrashCause::element_count, "must match the product of shape"},
    {CrashCause::element_count, "the tensor should have"},
    {CrashCause::element_count, "does not match the number of elements"},
    {CrashCause::element_count, "total size of new array must be unchanged"},

    {CrashCause::index_range, "index out of range"},
    {CrashCause::index_range, "is out of bounds"},
    {CrashCause::index_range, "out of bounds for dimension"},
    {CrashCause::index_range, "is not in [0"},
    {CrashCause::index_range, "class values must be smaller than num_classes"},

    {CrashCause::data_type, "expected scalar type"},
    {CrashCause::data_type, "expected dtype"},
    {CrashCause::data_type, "weight type ("},
    {CrashCause::data_type, "bias type ("},
    {CrashCause::data_type, "not implemented for '"},
    {CrashCause::data_type, "same dtype"},
    {CrashCause::data_type, "used as indices must be"},
    {CrashCause::data_type, "to have one of the following scalar types"},
    {CrashCause::data_type, "can't be cast to the desired output type"},
    {CrashCause::data_type, "can only be applied to index tensor"},
    {CrashCause::data_type, "applicable only to index tensor"},
    {CrashCause::data_type, "must be int32"},
    {CrashCause::data_type, "int32 tensor"},
    {CrashCause::data_type, "int32, but got"},
    {CrashCause::data_type, "found dtype"},
    {CrashCause::data_type, "floating point and complex dtype can require gradients"},
    {CrashCause::data_type, "expected object of"},
    {CrashCause::data_type, "could not infer dtype"},
    {CrashCause::data_type, "can't convert np.ndarray of type"},

    {CrashCause::operation_shape, "shapes cannot be multiplied"},
    {CrashCause::operation_shape, "size mismatch"},
    {CrashCause::operation_shape, "must match the size of tensor"},
    {CrashCause::operation_shape, "must match the existing size"},
    {CrashCause::operation_shape, "sizes of tensors must match"},
    {CrashCause::operation_shape, "each tensor to be equal size"},
    {CrashCause::operation_shape, "to match target batch_size"},
    {CrashCause::operation_shape, "different to the input size"},
    {CrashCause::operation_shape, "expected input"},
    {CrashCause::operation_shape, "input must have"},
    {CrashCause::operation_shape, "2d input"},
    {CrashCause::operation_shape, "3d input"},
    {CrashCause::operation_shape, "4d input"},
    {CrashCause::operation_shape, "(unbatched)"},
    {CrashCause::operation_shape, "must be equal to input_size"},
    {CrashCause::operation_shape, "expected hidden"},
    {CrashCause::operation_shape, "should contain"},
    {CrashCause::operation_shape, "normalized_shape"},
    {CrashCause::operation_shape, "could not be broadcast together"},
    {CrashCause::operation_shape, "inner dimensions"},
    {CrashCause::operation_shape, "inner shapes"},
    {CrashCause::operation_shape, "shape mismatch"},
    {CrashCause::operation_shape, "size of input tensor"},
    {CrashCause::operation_shape, "shapes must match"},
    {CrashCause::operation_shape, "expected size for first two dimensions"},
    {CrashCause::operation_shape, "must match in size"},
    {CrashCause::operation_shape, "number of dimensions"},
    {CrashCause::operation_shape, "dimension out of range"},
    {CrashCause::operation_shape, "kernel size can't be greater"},
    {CrashCause::operation_shape, "output size is too small"},
    {CrashCause::operation_shape, "must be rank"},
    {CrashCause::operation_shape, "but got rank"},
    {CrashCause::operation_shape, "inconsistent tensor size"},
    {CrashCause::operation_shape, "multi-target not supported"},
    {CrashCause::operation_shape, "which does not match the shape of the input"},
};

bool is_missing_file(const Crash& crash)
{
  return mentions(crash.exception, {"FileNotFound"}) ||
         mentions(crash.message, {"no such file", "enoent"});
}

bool names_checkpoint(const Crash& crash)
{
  return mentions(crash.message,
                  {".pt'",
                   ".pth",
                   ".ckpt",
                   ".tar'",
                   ".bin",
                   ".h5",
                   ".pkl",
                   ".pt\"",
                   "model",
                   "check",
                   "weight",
                   ".hdf5",
                   ".safetensors",
                   "snapshot"}) ||
         mentions(crash.operation, {"load_state_dict", "loadlayersmodel", "loadgraphmodel"});
}

bool is_linear(const Crash& crash)
{
  const bool product =
      mentions(crash.message, {"shapes cannot be multiplied", "size mismatch, m1"});
  const auto kind = crash.facts.find("layer_kind");
  const bool in_layer = kind != crash.facts.end() && kind->is_string() &&
                        kind->get_ref<const std::string&>() == "Linear";
  return product && (in_layer || (crash.layer >= 0 && mentions(crash.operation, {"linear"})));
}

// The message of an exception as one line of bounded length.
std::string words_of(const Crash& crash)
{
  constexpr size_t k_longest = 300;
  std::string_view message = crash.message;
  std::string text = crash.exception.empty() ? "" : crash.exception + ": ";
  size_t length = std::min(message.size(), k_longest);
  while (length > 0 && length < message.size() &&
         (static_cast<unsigned char>(message[length]) & 0xC0U) == 0x80U) {
    --length;
  }
  text += message.substr(0, length);
  return text + (length < message.size() ? " …" : "");
}

Draft& add_words(Draft& draft, const Crash& crash)
{
  draft.evidence(words_of(crash));
  if (!crash.operation.empty()) {
    draft.evidence(format("raised by `{}`", crash.operation));
  }
  for (const std::vector<int64_t>& shape : input_shapes(crash)) {
    draft.evidence(format("an input of the layer has the shape {}", print_shape(shape)));
  }
  return draft;
}

} // namespace

CrashCause cause_of(const std::optional<Crash>& crash)
{
  if (!crash || mentions(crash->exception, {"KeyboardInterrupt", "SystemExit"})) {
    return CrashCause::none;
  }
  if (is_linear(*crash)) {
    return CrashCause::linear_shape;
  }
  if (mentions(crash->exception, {"MemoryError", "OutOfMemory"})) {
    return CrashCause::memory;
  }
  for (const Phrase& phrase : k_phrases) {
    if (mentions(crash->message, {phrase.text})) {
      return phrase.cause;
    }
  }
  return is_missing_file(*crash) && names_checkpoint(*crash) ? CrashCause::checkpoint
                                                             : CrashCause::other;
}

Draft& report_crash(const Trace& trace, Reporter& report, std::string message)
{
  const Crash& crash = *trace.crash();
  const Site site = crash.frames.empty() ? Site() : crash.frames.back();
  return add_words(report.at(site, last_step(trace), std::move(message)), crash);
}

Draft& report_crash_at_layer(const Trace& trace, Reporter& report, std::string message)
{
  const Crash& crash = *trace.crash();
  const Layer* layer = trace.layer(crash.layer);
  if (layer == nullptr || layer->site.line == 0) {
    return report_crash(trace, report, std::move(message));
  }
  Draft& draft = add_words(report.at(*layer, last_step(trace), std::move(message)), crash);
  if (!crash.frames.empty()) {
    const Site& frame = crash.frames.back();
    draft.evidence(format("called at {}:{}", frame.file, frame.line));
  }
  return draft;
}

std::vector<int64_t> numbers_after(std::string_view text, std::string_view mark)
{
  constexpr size_t k_most = 8;
  std::vector<int64_t> numbers;
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return numbers;
  }
  const std::string_view rest = text.substr(at + mark.size());
  for (size_t i = 0; i < rest.size() && rest[i] != '\n' && numbers.size() < k_most; ++i) {
    int64_t value = 0;
    const size_t begin = i;
    while (i < rest.size() && rest[i] >= '0' && rest[i] <= '9' && i - begin < 15) {
      value = 10 * value + (rest[i++] - '0');
    }
    if (i > begin) {
      numbers.push_back(value);
      --i;
    }
  }
  return numbers;
}

std::vector<std::vector<int64_t>> input_shapes(const Crash& crash)
{
  std::vector<std::vector<int64_t>> shapes;
  const auto inputs = crash.facts.find("inputs");
  if (inputs == crash.facts.end() || !inputs->is_array()) {
    return shapes;
  }
  for (const Json& shape : *inputs) {
    std::vector<int64_t>& sizes = shapes.emplace_back();
    for (const Json& size : shape.is_array() ? shape : Json::array()) {
      if (size.is_number_integer()) {
        sizes.push_back(size.get<int64_t>());
      }
    }
    if (shapes.size() >= 4) {
      break;
    }
  }
  return shapes;
}

} // namespace faultline::trace
