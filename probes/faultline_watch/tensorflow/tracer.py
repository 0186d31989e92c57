"""The operation that made the first NaN or infinity.

Eager operations are looked at as they run, at checks. The operations of a compiled step are computed once more, all of
them, when a check has met a value that is not finite.
"""

import numpy as np
from tensorflow.python.eager import context

from .. import facts
from . import arrays, graphs

LARGEST = 1 << 22
# Where an infinity is meant: masks, limits, empty reductions.
MEANT = frozenset("""Const Fill ConcatV2 Select SelectV2 Identity Placeholder ReadVariableOp Cast Pack Reshape
BroadcastTo ExpandDims Tile Slice StridedSlice""".split())


def is_bad(array):
    return array is not None and array.dtype.kind == "f" and array.size <= LARGEST and not np.isfinite(array).all()


def described(operation, site, layer, backward, operands, result):
    return {"operation": operation, "site": site, "layer": layer, "backward": backward,
            "operands": [facts.short(operand) for operand in operands], "result": facts.short(result)}


class EagerTracer:
    """Sees every eager operation between the beginning of a tape and the step."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.on = False
        self.backward = False
        self.found = None

    def start(self):
        if not self.on:
            self.on, self.backward, self.found = True, False, None
            context.context().add_op_callback(self.seen)

    def goes_back(self):
        self.backward = True

    def stop(self):
        if self.on:
            self.on = False
            context.context().remove_op_callback(self.seen)

    def seen(self, op_type, inputs, attrs, outputs, op_name=None, graph=None):
        if graph is None and self.found is None and not self.recorder.busy:
            self.recorder.busy = True
            try:
                self._look(str(op_type), inputs, outputs)
            finally:
                self.recorder.busy = False

    def _look(self, kind, inputs, outputs):
        if not any(map(is_bad, _arrays(outputs))):
            return
        operands = list(_arrays(inputs))
        recorder = self.recorder
        if any(map(is_bad, operands)):
            operation = "data"
        elif kind == "ReadVariableOp":
            operation = "weight"
        elif kind in MEANT:
            return
        else:
            operation = kind
        layer = recorder.layers.of_layer(recorder.open_calls[-1][0]) if recorder.open_calls else None
        bad = next(array for array in _arrays(outputs) if is_bad(array))
        self.found = described(operation, recorder.places.here(), layer.id if layer is not None else -1, self.backward,
                               operands, bad)


def _arrays(tensors):
    for tensor in tensors:
        if arrays.is_real(tensor) and tensor.dtype.is_floating:
            array = arrays.array_of(tensor)
            if array is not None:
                yield array


def origin(recorder, record, graph, data, batch):
    """The first operation of a compiled step whose result is not finite though its operands are; None if there is
    none. Only what leads to the gradients and the loss counts."""
    ends = recorder.compiled.wanted(record)
    operations = graphs.leading_to(ends, {graphs.place_of(tensor) for tensor in data})
    if len(operations) > graphs.LARGEST:
        return None
    wanted = [output for operation in operations for output in operation.outputs if output.dtype.is_floating]
    values = graphs.Copy(graph, wanted, data).run(batch, len(wanted))
    known = {graphs.place_of(tensor): value for tensor, value in zip(wanted, values, strict=True)}
    known.update((graphs.place_of(tensor), arrays.array_of(part)) for tensor, part in zip(data, batch, strict=True))

    def values_of(tensors):
        found = (known.get(graphs.place_of(tensor)) for tensor in tensors)
        return [value for value in found if value is not None]

    for value in filter(is_bad, values_of(data)):
        return _told(recorder, record, "data", None, [], value)
    for operation in operations:
        bad = next(filter(is_bad, values_of(operation.outputs)), None)
        if bad is None:
            continue
        operands = values_of(operation.inputs)
        if operation.type == "ReadVariableOp":
            return None  # the statistics of the weights say it
        if operation.type not in MEANT and not any(map(is_bad, operands)):
            return _told(recorder, record, operation.type, operation, operands, bad)
    return None


def _told(recorder, record, kind, operation, operands, bad):
    if operation is None:
        site = record.uses[0].site if record.uses else recorder.places.here()
        return described(kind, site, -1, False, operands, bad)
    forward, backward = _forward(operation)
    layer = next((call[0].id for call in record.calls if call[3] + 1 < forward._id <= call[4] + 1), -1)
    site = recorder.places.of_trace(forward.traceback) or recorder.places.of_trace(operation.traceback)
    return described(kind, site or {"file": "", "line": 0, "text": ""}, layer, backward, operands, bad)


def _forward(operation):
    """The operation whose gradient it computes, and whether it does."""
    original = getattr(operation, "_original_op", None)
    if original is not None:
        return original, True
    parts = operation.name.split("/")
    if "gradient_tape" not in parts and not parts[0].startswith("gradients"):
        return operation, False
    names = [part for part in parts if part != "gradient_tape"]
    graph = operation.graph
    while names:
        try:
            return graph.get_operation_by_name("/".join(names)), True
        except KeyError:
            names.pop()
    return operation, True
