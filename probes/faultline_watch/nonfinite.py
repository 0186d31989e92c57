"""Finds the first operation of a step that made a value which is no number out of ones that are.

Forward: every function of torch is looked at; from the loss one goes back along operands that are
not finite. Backward: a hook on every node of the graph.
"""

import torch

from . import facts
from .tensors import tensors_in

NAMES = {"__truediv__": "div", "__rtruediv__": "div", "__rdiv__": "div", "__div__": "div", "true_divide": "div",
         "__pow__": "pow", "__rpow__": "pow", "__add__": "add", "__radd__": "add", "__iadd__": "add", "__sub__": "sub",
         "__rsub__": "sub", "rsub": "sub", "__mul__": "mul", "__rmul__": "mul", "__imul__": "mul",
         "__matmul__": "matmul", "__itruediv__": "div", "__isub__": "sub", "__idiv__": "div"}
LONGEST_WALK = 10000


def is_finite(tensor):
    if not tensor.is_floating_point() or tensor.is_sparse or tensor.numel() == 0:
        return True
    return bool(torch.isfinite(tensor.detach()).all())


class Operation:
    __slots__ = ("name", "site", "layer", "operands", "bad", "seen", "result", "kept")

    def __init__(self, name, site, layer, operands, bad, result):
        self.name = NAMES.get(name, name.rstrip("_") if not name.startswith("__") else name.strip("_"))
        self.site = site
        self.layer = layer
        self.operands = operands
        self.bad = bad          # operands that were not finite
        self.seen = None        # facts of the operands, where all were finite
        self.result = result
        self.kept = None


class Tracer:
    def __init__(self, recorder):
        self.recorder = recorder
        self.makers = {}   # id of a result that is not finite: Operation
        self.nodes = {}    # node of the graph: Operation
        self.bad_before = ()
        self.found = False
        self.backward = None
        self.finite_gradients = True

    def before(self, name, args, kwargs):
        """Operands that an operation in place may change."""
        in_place = name.endswith("_") and not name.endswith("__") or name.startswith("__i") or "out" in kwargs
        if in_place or name == "__setitem__":
            operands = list(tensors_in((args, kwargs)))
            self.bad_before = (operands, [operand for operand in operands if not is_finite(operand)])
        else:
            self.bad_before = None

    def after(self, name, args, kwargs, result, stack):
        results = list(tensors_in(result if name != "__setitem__" else args[:1]))
        if self.bad_before is not None:
            operands, bad = self.bad_before
        else:
            operands, bad = list(tensors_in((args, kwargs))), None
        operation = None
        for tensor in results:
            if is_finite(tensor):
                continue
            if bad is None:
                bad = [operand for operand in operands if not is_finite(operand)]
            if operation is None:
                operation = self._operation(name, operands, bad, tensor, stack)
                if not bad:
                    operation.seen = [facts.short(operand) for operand in operands]
                    operation.kept = facts.short(tensor)
            self.makers[id(tensor)] = operation
        for tensor in results:
            if tensor.grad_fn is not None:
                self._own_nodes(tensor.grad_fn, operation or name, operands, stack)

    def _operation(self, name, operands, bad, result, stack):
        recorder = self.recorder
        layer = recorder.layers.of_module(stack[-1][0]) if stack else None
        return Operation(name, recorder.sites.here(), layer.id if layer else -1, operands, bad, result)

    def _own_nodes(self, node, operation, operands, stack):
        """All nodes that an operation has added to the graph are its own."""
        todo = [node]
        for _ in range(LONGEST_WALK):
            if not todo:
                return
            node = todo.pop()
            if node is None or node in self.nodes:
                continue
            if not isinstance(operation, Operation):
                operation = self._operation(operation, operands, [], None, stack)
            self.nodes[node] = operation
            todo += [following for following, _ in node.next_functions]

    def blame(self, tensor):
        """Where the value of `tensor`, which is not finite, came from."""
        operation = self.makers.get(id(tensor))
        origin = tensor
        for _ in range(LONGEST_WALK):
            if operation is None or not operation.bad:
                break
            origin = operation.bad[0]
            following = self.makers.get(id(origin))
            if following is None:
                return self._from_outside(operation, origin)
            operation = following
        if operation is None:
            return None
        if not operation.operands:  # made, not computed
            return self._from_outside(operation, origin)
        return self._event(operation, False, operation.seen or [], operation.kept or {})

    def _from_outside(self, operation, origin):
        name = "weight" if isinstance(origin, torch.nn.Parameter) else "data"
        return {"step": self.recorder.step, "backward": False, "operation": name, "site": operation.site,
                "layer": operation.layer, "operands": [], "result": facts.short(origin)}

    def _event(self, operation, backward, operands, result):
        return {"step": self.recorder.step, "backward": backward, "operation": operation.name,
                "site": operation.site, "layer": operation.layer, "operands": operands, "result": result}

    def before_backward(self, loss):
        if not is_finite(loss):
            self.tell(self.blame(loss))
            return
        for node, operation in list(self.nodes.items()):
            try:
                node.register_hook(self._hook(operation))
            except (RuntimeError, AttributeError):
                pass

    def _hook(self, operation):
        def look(grad_inputs, grad_outputs):
            if self.backward is not None or not self.recorder.on:
                return
            inputs = [gradient for gradient in grad_inputs if isinstance(gradient, torch.Tensor)]
            bad = next((gradient for gradient in inputs if not is_finite(gradient)), None)
            if bad is None:
                return
            outputs = [gradient for gradient in grad_outputs if isinstance(gradient, torch.Tensor)]
            if all(is_finite(gradient) for gradient in outputs):
                operands = [facts.short(operand) for operand in operation.operands]
                self.backward = self._event(operation, True, operands, facts.short(bad))
        return look

    def before_step(self, optimizer):
        if self.backward is not None:
            self.tell(self.backward)
        self.finite_gradients = all(
            is_finite(p.grad) for group in optimizer.param_groups for p in group["params"] if p.grad is not None)

    def after_step(self, optimizer):
        """An update of finite gradients that leaves the range of numbers."""
        if self.found or not self.finite_gradients:
            return
        recorder = self.recorder
        for layer in recorder.layers.all:
            for _, parameter in layer.parameters():
                if not is_finite(parameter):
                    gradient = [facts.short(parameter.grad)] if parameter.grad is not None else []
                    self.tell({"step": recorder.step, "backward": False,
                               "operation": f"{type(optimizer).__name__}.step", "site": layer.site,
                               "layer": layer.id, "operands": gradient, "result": facts.short(parameter)})
                    return

    def tell(self, event):
        if event is None or self.found:
            return
        self.found = True
        stream = self.recorder.stream
        if self.recorder.twins.inside:
            stream.buffer.clear()  # all else the program's own process says itself
        stream.event("nonfinite", **event)
        stream.flush()
        self.recorder.twins.traced()
