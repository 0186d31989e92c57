// TensorFlow 1's queues, readers, summaries and arrays: what feeds a graph and what watches it. The
// values are not followed, but who depends on whom is.

#include "program/models/tables.hpp"
#include "program/models/tf.hpp"

#include "program/machine.hpp"

namespace faultline::program {

static Ref some_tensor(Machine& machine, Call& call)
{
  return machine.tensor(call, Shape::top());
}

// A reader gives key and value.
static Ref pair_of_tensors(Machine& machine, Call& call)
{
  Tensor* const key = machine.tensor(call, Shape::scalar(), DType::Kind::string);
  return machine.tuple({key, machine.tensor(call, Shape::scalar(), DType::Kind::string)});
}

// An array is written by making a new one.
static Ref same_array(Machine& machine, Call& call)
{
  static_cast<void>(machine);
  return call.self;
}

static constexpr Api k_rows[] = {
    {"tensorflow.train.string_input_producer", "string_tensor, num_epochs=None, shuffle=True, **kwargs", Role::function, "input_queue", 0, some_tensor},
    {"tensorflow.train.input_producer", "input_tensor, num_epochs=None, **kwargs", Role::function, "input_queue", 0, some_tensor},
    {"tensorflow.train.range_input_producer", "limit, num_epochs=None, **kwargs", Role::function, "input_queue", 0, some_tensor},
    {"tensorflow.train.start_queue_runners", "sess=None, coord=None, **kwargs", Role::function, "start_queues"},
    {"tensorflow.ReaderBase", "**kwargs", Role::object},
    {"tensorflow.ReaderBase.read", "queue, name=None", Role::method, {}, 0, pair_of_tensors},
    {"tensorflow.ReaderBase.read_up_to", "queue, num_records, name=None", Role::method, {}, 0, pair_of_tensors},
    {"tensorflow.TextLineReader", "skip_header_lines=None, name=None", Role::object, {}, 0, nullptr, "tensorflow.ReaderBase"},
    {"tensorflow.WholeFileReader", "name=None", Role::object, {}, 0, nullptr, "tensorflow.ReaderBase"},
    {"tensorflow.TFRecordReader", "name=None, options=None", Role::object, {}, 0, nullptr, "tensorflow.ReaderBase"},
    {"tensorflow.FixedLengthRecordReader", "record_bytes, **kwargs", Role::object, {}, 0, nullptr, "tensorflow.ReaderBase"},
    {"tensorflow.QueueBase", "**kwargs", Role::object},
    {"tensorflow.QueueBase.enqueue", "vals, name=None", Role::method, "enqueue", 0, some_tensor},
    {"tensorflow.QueueBase.enqueue_many", "vals, name=None", Role::method, "enqueue", 0, some_tensor},
    {"tensorflow.QueueBase.dequeue", "name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.QueueBase.dequeue_many", "n, name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.QueueBase.size", "name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.QueueBase.close", "**kwargs", Role::method, {}, 0, some_tensor},
    {"tensorflow.FIFOQueue", "capacity, dtypes, shapes=None, **kwargs", Role::object, {}, 0, nullptr, "tensorflow.QueueBase"},
    {"tensorflow.PaddingFIFOQueue", "capacity, dtypes, shapes, **kwargs", Role::object, {}, 0, nullptr, "tensorflow.QueueBase"},
    {"tensorflow.RandomShuffleQueue", "capacity, min_after_dequeue, dtypes, **kwargs", Role::object, {}, 0, nullptr, "tensorflow.QueueBase"},
    {"tensorflow.TensorArray", "dtype, size=None, dynamic_size=None, **kwargs", Role::object},
    {"tensorflow.TensorArray.write", "index, value, name=None", Role::method, "array_write", 0, same_array},
    {"tensorflow.TensorArray.unstack", "value, name=None", Role::method, "array_write", 0, same_array},
    {"tensorflow.TensorArray.scatter", "indices, value, name=None", Role::method, "array_write", 0, same_array},
    {"tensorflow.TensorArray.read", "index, name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.TensorArray.stack", "name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.TensorArray.concat", "name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.TensorArray.pack", "name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.TensorArray.gather", "indices, name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.TensorArray.size", "name=None", Role::method, {}, 0, some_tensor},
    {"tensorflow.TensorArray.close", "name=None", Role::method},
    {"tensorflow.summary.scalar", "name, tensor, **kwargs", Role::function, "summary", 0, some_tensor},
    {"tensorflow.summary.histogram", "name, values, **kwargs", Role::function, "summary", 0, some_tensor},
    {"tensorflow.summary.image", "name, tensor, **kwargs", Role::function, "summary", 0, some_tensor},
    {"tensorflow.summary.merge", "inputs, **kwargs", Role::function, {}, 0, some_tensor},
    {"tensorflow.summary.merge_all", "**kwargs", Role::function, "merge_all_summaries", 0, some_tensor},
    {"tensorflow.scalar_summary", "tags, values, **kwargs", Role::function, "summary", 0, some_tensor},
    {"tensorflow.histogram_summary", "tag, values, **kwargs", Role::function, "summary", 0, some_tensor},
    {"tensorflow.merge_summary", "inputs, **kwargs", Role::function, {}, 0, some_tensor},
    {"tensorflow.merge_all_summaries", "**kwargs", Role::function, "merge_all_summaries", 0, some_tensor},
};

std::span<const Api> tf_queues()
{
  return k_rows;
}

} // namespace faultline::program
