"""What a compiled step computes, looked at without a change to it.

While TensorFlow traces a function, the tensors of its layers, losses and gradients are noted. At a check a second
function is made of the operations that lead to these tensors, and of nothing else: no assignment, no update, no output
of the program's. It gets the same batch and reads the same weights just before the step. The program's own function
stays as it is, so that whatever a compiler fuses in it gives the same numbers as ever. (A tensor that is fetched beside
others may be computed differently, and no part of the program can be looked at from inside if XLA compiles it.)

Random operations of the second function have states of their own, so dropout draws another mask there.
"""

import weakref

import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.framework import ops as framework

from . import arrays

LARGEST = 20000  # operations
BATCH_OPERATIONS = ("IteratorGetNext", "IteratorGetNextSync")
# Stateful, but they leave no trace.
HARMLESS = frozenset("""ReadVariableOp VarHandleOp VarIsInitializedOp ResourceGather ResourceGatherNd VariableShape
RandomUniform RandomUniformInt RandomStandardNormal TruncatedNormal Multinomial RandomShuffle RandomGamma
ParameterizedTruncatedNormal Placeholder PlaceholderWithDefault Assert StatefulPartitionedCall PartitionedCall While
StatelessWhile If StatelessIf Case VariableV2 Variable ReadVariableXlaSplitND""".split())


class Record:
    """What was noted while a graph was made."""

    def __init__(self, graph):
        self.graph = weakref.ref(graph)
        self.calls = []     # (layer, input, output, number of operations before and after it)
        self.uses = []      # losses.Use
        self.targets = []   # what gradients were asked of
        self.applied = []   # (optimizer, [(gradient, variable)])
        self.root_input = None
        self.loss_position = None  # among the results of the function
        self.copy = None
        self.impossible = False

    def own(self, tensor):
        tensor = arrays.dense(tensor)
        return arrays.is_tensor(tensor) and getattr(tensor, "graph", None) is self.graph()


def record_of(graph):
    record = getattr(graph, "_watched", None)
    if record is None:
        record = graph._watched = Record(graph)
    return record


def data_of(graph):
    """The tensors of a graph that hold the batch, in order."""
    found, placeholders = [], []
    captured = {id(internal) for _, internal in getattr(graph, "captures", ())}
    for operation in graph.get_operations():
        if operation.type in BATCH_OPERATIONS:
            found = list(operation.outputs)
        elif operation.type == "Placeholder" and id(operation.outputs[0]) not in captured:
            placeholders.append(operation.outputs[0])
    return found or placeholders


def fits(tensors, batch):
    """Whether a batch is what the graph was made for."""
    return len(tensors) == len(batch) and all(
        tensor.dtype == part.dtype and tensor.shape.is_compatible_with(part.shape)
        for tensor, part in zip(tensors, batch, strict=True))


def place_of(tensor):
    """What tells a tensor from others of its graph."""
    return tensor.op._id, tensor.value_index


def leading_to(tensors, stops):
    """The operations that tensors are computed by, in an order in which they can be. (Not that of their making: the
    gradient of a loop gives the loop new inputs.) `stops`: places of tensors that are there already."""
    order, seen = [], set()
    waiting = [(tensor.op, False) for tensor in reversed(tensors) if place_of(tensor) not in stops]
    while waiting:
        operation, ready = waiting.pop()
        if ready:
            order.append(operation)
        elif operation._id not in seen:
            seen.add(operation._id)
            waiting.append((operation, True))
            waiting += [(source.op, False) for source in operation.inputs if place_of(source) not in stops]
    return order


def is_harmless(operation, functions, depth=0):
    """Whether running it once more changes nothing that the program can see."""
    names = [value.func.name for value in operation.node_def.attr.values() if value.HasField("func")]
    if operation.type not in HARMLESS and operation.op_def is not None and operation.op_def.is_stateful:
        return False
    return all(_is_harmless_function(name, functions, depth) for name in names)


def _is_harmless_function(name, functions, depth):
    definition = functions(name)
    if definition is None or depth > 8:
        return False
    for node in definition.node_def:
        inner = [value.func.name for value in node.attr.values() if value.HasField("func")]
        if node.op.startswith(("Assign", "ResourceApply", "ResourceSparseApply", "ResourceScatter", "Rng", "Iterator",
                               "Print", "PyFunc", "EagerPyFunc", "Queue", "LookupTable", "Stateful")) \
                and node.op != "StatefulPartitionedCall":
            return False
        if not all(_is_harmless_function(part, functions, depth + 1) for part in inner):
            return False
    return True


def _functions_of(graph):
    def definition(name):
        try:
            found = graph._get_function(name)
            if found is not None:
                return getattr(found, "cached_definition", None) or found.definition
        except (KeyError, ValueError, AttributeError):
            pass
        try:
            return context.context().get_function_def(name)
        except (KeyError, ValueError, tf.errors.OpError):
            return None

    return definition


class Copy:
    """A function of some tensors of a graph."""

    def __init__(self, graph, tensors, data):
        self.data = data
        stops = {place_of(tensor) for tensor in data}
        functions = _functions_of(graph)
        self.external = {place_of(internal): outside for outside, internal in graph.captures}
        self.positions, kept = self._harmless(tensors, stops, functions)
        self.tensors = kept
        self.operations = leading_to(kept, stops)
        signature = [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in data]
        self.function = tf.function(self._build, input_signature=signature, autograph=False)

    def _harmless(self, tensors, stops, functions):
        """Those that no harmful operation leads to: their positions and themselves."""
        good = {}
        for operation in leading_to(tensors, stops):
            sources = all(good.get(source.op._id, True) for source in operation.inputs if place_of(source) not in stops)
            known = not (operation.type == "Placeholder" and place_of(operation.outputs[0]) not in stops
                         and not hasattr(self.external.get(place_of(operation.outputs[0])), "numpy"))
            good[operation._id] = sources and known and is_harmless(operation, functions)
        positions = [number for number, tensor in enumerate(tensors)
                     if place_of(tensor) in stops or good.get(tensor.op._id, False)]
        return positions, [tensors[number] for number in positions]

    def _build(self, *batch):
        target = framework.get_default_graph()
        made = {place_of(tensor): part for tensor, part in zip(self.data, batch, strict=True)}
        for operation in self.operations:
            first = place_of(operation.outputs[0]) if operation.outputs else None
            if operation.type == "Placeholder" and first in self.external:
                made[first] = target.capture(self.external[first])
                continue
            copy = target._create_op_internal(
                operation.type, [made[place_of(source)] for source in operation.inputs],
                [output.dtype for output in operation.outputs], name=operation.name,
                attrs=dict(operation.node_def.attr), op_def=operation.op_def)
            for output, twin in zip(operation.outputs, copy.outputs, strict=True):
                made.setdefault(place_of(output), twin)
        return [made[place_of(tensor)] for tensor in self.tensors]

    def run(self, batch, count):
        """Arrays in the order of the tensors, None where one could not be had."""
        values = [None] * count
        for position, value in zip(self.positions, self.function(*batch), strict=True):
            values[position] = arrays.array_of(value)
        return values
