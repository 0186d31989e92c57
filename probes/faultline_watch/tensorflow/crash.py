"""The exception that ended the program: its own frames, the layer, and the shapes that met there."""

import re

from . import arrays

LONGEST_MESSAGE = 4000


def describe(error, recorder):
    places, layers = recorder.places, recorder.layers
    frames, last = [], None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if places.kind(code.co_filename) == "program":
            frames.append(places.site(code.co_filename, trace.tb_lineno))
            last = trace.tb_frame
        trace = trace.tb_next
    owner = recorder.failed_layer() if recorder.failed_layer is not None else None
    layer = layers.of_layer(owner) if owner is not None else None
    facts = {"tensors": _tensors(last.f_locals) if last is not None else {}}
    if layer is not None:
        facts["layer_kind"] = layer.kind
        facts["parameters"] = {str(getattr(variable, "name", slot)): list(variable.shape)
                               for slot, variable in layer.parameters()}
    message = str(error)
    found = re.search(r"\{\{function_node[^}]*\}\}|node (\S+)", message)
    operation = re.search(r"\[Op:(\w+)", message)
    return {
        "exception": type(error).__name__,
        "message": message[:LONGEST_MESSAGE],
        "frames": frames,
        "layer": layer.id if layer is not None else -1,
        "operation": operation.group(1) if operation else (found.group(1) or "") if found else "",
        "facts": facts,
    }


def _tensors(names):
    found = {}
    for name, value in list(names.items())[:200]:
        if arrays.is_tensor(value) and len(found) < 20 and not name.startswith("__") and value.shape.rank is not None:
            found[name] = {"shape": [size or 0 for size in value.shape], "dtype": value.dtype.name}
    return found
