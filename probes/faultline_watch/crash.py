"""The exception that ended the program: its own frames, the layer, and the shapes that met there."""

import linecache
import re

import torch

LONGEST_MESSAGE = 2000
PLUMBING = ("_call_impl", "forward", "__torch_function__", "handle_torch_function")


def describe(error, sites, layers):
    frames, module, call, operation = [], None, None, ""
    trace = error.__traceback__
    last_program, innermost = None, ("", 0)
    while trace is not None:
        frame = trace.tb_frame
        code = frame.f_code
        kind = sites.kind(code.co_filename)
        if kind == "program":
            frames.append(sites.site(code.co_filename, trace.tb_lineno))
            last_program, operation = frame, ""
        elif kind == "framework":
            operation = operation if code.co_name in PLUMBING else code.co_name
        elif kind == "probe" and code.co_name == "__torch_function__":
            operation = frame.f_locals.get("name", operation)
        innermost = (code.co_filename, trace.tb_lineno)
        owner = frame.f_locals.get("self")
        if isinstance(owner, torch.nn.Module):
            module = owner
            call = frame if code.co_name == "forward" else call
        trace = trace.tb_next
    operation = operation or _called_at(*innermost)
    layer = layers.of_module(module) if module is not None else None
    facts = {"tensors": _tensors(last_program.f_locals) if last_program is not None else {}}
    if module is not None:
        facts["layer_kind"] = type(module).__name__
        facts["parameters"] = {name: list(p.shape) for name, p in module._parameters.items() if p is not None}
        if call is not None and call.f_locals.get("self") is module:
            inputs = _tensors(call.f_locals)
            facts["inputs"] = [value["shape"] for value in inputs.values()]
            facts["dtypes"] = [value["dtype"] for value in inputs.values()]
    return {
        "exception": type(error).__name__,
        "message": str(error)[:LONGEST_MESSAGE],
        "frames": frames,
        "layer": layer.id if layer is not None else -1,
        "operation": operation,
        "facts": facts,
    }


def _called_at(filename, line):
    """The library's function that a line calls; functions written in C have no frame."""
    match = re.search(r"\b(?:F|functional|torch|_VF|_C|_nn)\.(\w+)\(", linecache.getline(filename, line))
    return match.group(1) if match else ""


def _tensors(names):
    found = {}
    for name, value in list(names.items())[:200]:
        if isinstance(value, torch.Tensor) and len(found) < 20 and not name.startswith("__"):
            found[name] = {"shape": list(value.shape), "dtype": str(value.dtype).replace("torch.", "")}
    return found
