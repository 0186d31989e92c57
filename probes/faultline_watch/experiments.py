"""What is tried on a copy of the program: the first step's computation, again and differently.

The tape holds every call of a model and of a function of torch between the start of the step and the
loss. Played again unchanged it must give the program's own loss, else nothing is tried.
"""

import contextlib
import math
import time

import torch
from torch.overrides import TorchFunctionMode

from . import facts, padding
from .losses import NAMES as LOSSES
from .tensors import tensors_in

LONGEST = 400
MASKING = frozenset("""masked_fill masked_fill_ where expand mul mul_ __mul__ __rmul__ __imul__ add __add__ __radd__ sub
__sub__ bmm matmul __matmul__ multi_head_attention_forward""".split())
SAMPLES = 16
RUNS = 20
RUN_STEPS = 10
OVERFIT_STEPS = 1000
OVERFIT_SECONDS = 5.0
RUNS_SECONDS = 3.0


class Call:
    __slots__ = ("function", "args", "kwargs", "result", "random")

    def __init__(self, function, args, kwargs, result, random):
        self.function, self.args, self.kwargs, self.result = function, args, kwargs, result
        self.random = random  # the generator's state before it, if this is the call of a model

    def is_model(self):
        return self.random is not None

    def changes_operands(self):
        name = getattr(self.function, "__name__", "")
        return name == "__setitem__" or name.startswith("__i") or name.endswith("_") and not name.endswith("__")


class Tape:
    def __init__(self):
        self.calls = []
        self.complete = True

    def called(self, function, args, kwargs, result, random=None):
        if not self.complete:
            return
        if len(self.calls) >= LONGEST:
            self.calls, self.complete = [], False
            return
        self.calls.append(Call(function, args, kwargs, result, random))

    def models(self):
        return [call for call in self.calls if call.is_model()]

    def leading_to(self, loss):
        """The calls that the loss depends on. What is made from nothing, like noise, stays as it was."""
        needed, kept = {id(loss)}, []
        for call in reversed(self.calls):
            operands = {id(tensor) for tensor in tensors_in((call.args, call.kwargs))}
            results = {id(tensor) for tensor in tensors_in(call.result)}
            wanted = results & needed or (call.changes_operands() and operands & needed)
            if wanted and (operands or call.is_model()):
                kept.append(call)
                needed |= operands
        tape = Tape()
        tape.calls = kept[::-1]
        return tape

    def batch_size(self):
        for call in self.models():
            for tensor in tensors_in(call.args):
                if tensor.dim():
                    return tensor.shape[0]
        return 0


class Player:
    """Plays a tape with its tensors replaced."""

    def __init__(self, tape, loss):
        self.tape = tape
        self.loss = loss
        self.batch = tape.batch_size()
        self.output = next(iter(tensors_in(tape.models()[-1].result)))
        self.models = [call.function for call in tape.models()]
        self.loss_call = next((call for call in reversed(tape.calls)
                               if getattr(call.function, "__name__", "") in LOSSES), None)

    def play(self, rows=None, entry=None):
        """`rows` picks samples of everything that has one row a sample; `entry` changes the models' inputs.
        Returns the loss and the tensors by the id of the one that they replace."""
        new = {}
        derived = set()

        def replaced(value, outside=None):
            if isinstance(value, torch.Tensor):
                key = id(value)
                if key not in new:
                    own_row = rows is not None and value.dim() and value.shape[0] == self.batch
                    new[key] = rows(value) if own_row and not isinstance(value, torch.nn.Parameter) else value
                if outside is not None and key not in derived and value.dim() and value.shape[0] == self.batch:
                    return outside(new[key])
                return new[key]
            if isinstance(value, tuple) and hasattr(value, "_fields"):
                return type(value)(*(replaced(part, outside) for part in value))
            if isinstance(value, (list, tuple)):
                return type(value)(replaced(part, outside) for part in value)
            if isinstance(value, dict):
                return {key: replaced(part, outside) for key, part in value.items()}
            return value

        for call in self.tape.calls:
            operands = {id(tensor) for tensor in tensors_in((call.args, call.kwargs))}
            from_model = call.is_model() or not operands.isdisjoint(derived)
            outside = None
            if call.is_model():
                torch.set_rng_state(call.random)
                outside = entry if next(call.function.parameters(), None) is not None else None
            fresh = call.function(*replaced(call.args, outside), **replaced(call.kwargs))
            for before, after in zip(tensors_in(call.result), tensors_in(fresh), strict=False):
                new[id(before)] = after
                if from_model:
                    derived.add(id(before))
        return new[id(self.loss)], new

    @contextlib.contextmanager
    def weights_kept(self):
        kept = [(tensor, tensor.detach().clone()) for model in self.models
                for tensor in [*model.parameters(), *model.buffers()]]
        modes = [(part, part.training) for model in self.models for part in model.modules()]
        try:
            yield
        finally:
            with torch.no_grad():
                for tensor, values in kept:
                    tensor.copy_(values)
            for part, training in modes:
                part.training = training


def run(step, tape, loss, value, optimizers, stream, sites):
    tape = tape.leading_to(loss)
    if tape.batch_size() < 1:
        return
    player = Player(tape, loss)
    with player.weights_kept():
        again = float(player.play()[0].detach())
    if not math.isclose(again, value, rel_tol=1e-5, abs_tol=1e-7):
        return
    optimizer = _responsible(player, optimizers)
    if step == 0:
        with contextlib.suppress(Exception), player.weights_kept():
            _tell_leak(padding_leak(player, value, optimizer, sites), stream)
    for name, experiment in EXPERIMENTS[step]:
        try:
            with player.weights_kept():
                values = experiment(player, value, optimizer)
        except Exception:  # the program's computation allows no such change
            continue
        if values is not None:
            values |= {"step": step} if step else {}
            stream.event("experiment", name=name, values=values)
            stream.flush()


def _tell_leak(values, stream):
    if values is not None:
        stream.event("observation", name="padding-leaks", step=0, site=values.pop("site"), values=values)
        stream.flush()


def double_batch(player, value, optimizer):
    for model in player.models:
        model.eval()
    with torch.no_grad():
        once = float(player.play()[0])
        twice = float(player.play(rows=lambda tensor: torch.cat([tensor, tensor]))[0])
    return {"loss": once, "doubled": twice}


def eval_mode(player, value, optimizer):
    parts = [part for model in player.models for part in model.modules()]
    if not any(isinstance(part, (torch.nn.modules.dropout._DropoutNd, torch.nn.modules.batchnorm._BatchNorm))
               for part in parts):
        return None
    for part in parts:
        part.training = False
    with torch.no_grad():
        return {"train": value, "eval": float(player.play()[0])}


def mixing(player, value, optimizer):
    prediction = _prediction(player)
    if prediction is None or player.batch < 3 or prediction.dim() < 1 or prediction.shape[0] != player.batch:
        return None
    for model in player.models:
        model.eval()
    order = torch.arange(player.batch - 1, 0, -1)

    def others_reversed(tensor):
        return torch.cat([tensor[:1], tensor[order]])

    def others_replaced(tensor):
        return tensor[:1].expand_as(tensor).clone()

    with torch.no_grad():
        before = player.play()[1][id(prediction)][0].double()
        changes = []
        for entry in (others_reversed, others_replaced):
            with contextlib.suppress(RuntimeError, ValueError, IndexError):
                after = player.play(entry=entry)[1][id(prediction)][0].double()
                changes.append(float((after - before).abs().max()))
    if not changes:
        return None
    return {"largest_change": max(changes), "scale": float(before.abs().max())}


class MaskSeen(TorchFunctionMode):
    """Whether some operation of a model is given the mask of padding, or what it leaves, and where."""

    def __init__(self, tail, sites):
        super().__init__()
        self.masks = [tail, ~tail]
        self.sites = sites
        self.site = None
        self.depth = 0  # of modules

    def enters(self, module, inputs):
        self.depth += 1

    def leaves(self, module, inputs, output):
        self.depth -= 1

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self.site is None and self.depth and getattr(func, "__name__", "") in MASKING:
            for tensor in tensors_in((args, kwargs)):
                if tensor.numel() == self.masks[0].numel() and any(
                        torch.equal(tensor.reshape(mask.shape) != 0, mask) for mask in self.masks):
                    self.site = self.sites.here()
                    break
        return func(*args, **kwargs)


def padding_leak(player, value, optimizer, sites):
    """How far what stands at padded positions changes the answers for the others, where the model has a mask."""
    call = player.tape.models()[-1]
    tokens = next((tensor for tensor in tensors_in(call.args)
                   if tensor.dtype == torch.int64 and tensor.dim() == 2), None)
    prediction = _prediction(player)
    found = padding.find(tokens.numpy()) if tokens is not None else None
    if found is None or prediction.dim() < 2 or prediction.shape[0] != len(tokens):
        return None
    tail = torch.from_numpy(found[0].copy())
    for model in player.models:
        model.eval()
    noise = None

    def disturb(module, inputs, output):
        nonlocal noise
        if not isinstance(module, torch.nn.Embedding) or not torch.equal(inputs[0], tokens):
            return None
        if module.padding_idx == found[1]:  # zeros stand there, always
            return None
        if noise is None:
            noise = torch.randn(output.shape, generator=torch.Generator().manual_seed(0)) * output.std() * 3
        return output + noise * tail.unsqueeze(-1)

    seen = MaskSeen(tail, sites)
    hooks = torch.nn.modules.module
    with torch.no_grad():
        entered = hooks.register_module_forward_pre_hook(seen.enters)
        left = hooks.register_module_forward_hook(seen.leaves)
        with seen:
            before = player.play()[1][id(prediction)]
        entered.remove()
        left.remove()
        if seen.site is None:
            return None
        hook = hooks.register_module_forward_hook(disturb)
        after = player.play()[1][id(prediction)]
        hook.remove()
    if noise is None:
        return None
    if prediction.shape[:2] == tokens.shape:
        before, after = before[~tail], after[~tail]
    return {"change": float((after - before).abs().max()), "scale": float(before.abs().max()), "site": seen.site}


def overfit(player, value, optimizer):
    if optimizer is None:
        return None
    _without_dropout(player)
    count = min(SAMPLES, player.batch)
    rows = (lambda tensor: tensor[:count]) if count < player.batch else None
    optimizer = _fresh(optimizer)
    until = time.process_time() + OVERFIT_SECONDS
    first = last = error = None
    steps = 0
    while steps < OVERFIT_STEPS:
        steps += 1
        loss, new = player.play(rows=rows)
        last = float(loss.detach())
        first = last if first is None else first
        error = _error(player, new)
        if not math.isfinite(last) or time.process_time() > until:
            break
        if last <= 1e-4 * abs(first) or (error == 0 and last <= 0.01 * abs(first)):
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    values = {"first": first, "last": last, "steps": steps, "samples": count}
    if error is not None:
        values["error"] = error
    return values


def zero_input(player, value, optimizer):
    if optimizer is None or player.batch < 8:
        return None
    _without_dropout(player)
    size = max(4, player.batch // 2)
    generator = torch.Generator().manual_seed(0)
    until = time.process_time() + RUNS_SECONDS
    results = {"losses": [], "zeroed": []}
    for _ in range(RUNS):
        chosen = torch.randperm(player.batch, generator=generator)[:size]
        for name, entry in (("losses", None), ("zeroed", torch.zeros_like)):
            with player.weights_kept():
                results[name].append(_short_run(player, _fresh(optimizer), chosen, entry))
        if time.process_time() > until:
            break
    return results


def _short_run(player, optimizer, chosen, entry):
    last = math.nan
    for _ in range(RUN_STEPS):
        loss = player.play(rows=lambda tensor: tensor[chosen], entry=entry)[0]
        last = float(loss.detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return last


def _without_dropout(player):
    for model in player.models:
        for part in model.modules():
            if isinstance(part, (torch.nn.modules.dropout._DropoutNd, torch.nn.RNNBase, torch.nn.MultiheadAttention)):
                part.training = False


def _responsible(player, optimizers):
    """The optimizer whose parameters the loss depends on most."""
    with player.weights_kept():
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=True)
        try:
            player.play()[0].backward()
        except RuntimeError:
            return None
    counts = [sum(p.grad is not None for group in optimizer.param_groups for p in group["params"])
              for optimizer in optimizers]
    return optimizers[counts.index(max(counts))] if counts and max(counts) else None


def _fresh(optimizer):
    """An optimizer of the same kind and settings that has seen nothing."""
    groups = [dict(group) for group in optimizer.param_groups]
    return type(optimizer)(groups, **optimizer.defaults)


def _prediction(player):
    call = player.loss_call
    if call is not None and call.args and isinstance(call.args[0], torch.Tensor):
        return call.args[0]
    return player.output


def _error(player, new):
    call = player.loss_call
    if call is None or len(call.args) < 2:
        return None
    guess, truth = new.get(id(call.args[0])), new.get(id(call.args[1]))
    if not isinstance(guess, torch.Tensor) or not isinstance(truth, torch.Tensor):
        return None
    share = facts.accuracy(guess, truth, call.function.__name__)
    return None if share is None else 1 - share


# By step: averages of batch normalisation mean nothing at the first one.
EXPERIMENTS = {
    0: [("double-batch", double_batch), ("mixing", mixing), ("overfit", overfit), ("zero-input", zero_input)],
    200: [("eval-mode", eval_mode)],
}
