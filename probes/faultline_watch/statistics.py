"""Statistics of many tensors at once.

All tensors of a check are copied one after another into one buffer; then a handful of numpy calls
reduce every part. A copy costs less than one reduction, and the program may change its tensors.
"""

import numpy as np

INPUT, OUTPUT, WEIGHT, GRADIENT, UPDATE = range(5)
LARGEST = 1 << 20  # of a larger tensor every n-th value is taken
DEAD = 1e-5

_FRAME = np.dtype([
    ("length", "<u4"), ("kind", "S1"), ("step", "<u4"), ("layer", "<u4"), ("role", "u1"), ("slot", "u1"),
    ("none", "<u2"), ("count", "<u8"), ("nan", "<u8"), ("inf", "<u8"), ("zeros", "<f4"), ("mean", "<f4"),
    ("std", "<f4"), ("min", "<f4"), ("max", "<f4"), ("norm", "<f4"), ("units", "<u4"), ("dead", "<u4"),
    ("saturated", "<f4"),
])

# Outputs beyond these belong to inputs where the function is flat (±5 for sigmoid, ±3 for tanh).
_FLAT = {"sigmoid": (0.0067, 0.9933), "tanh": (-0.9951, 0.9951)}


def array_of(tensor):
    """The values of a tensor as an array, without a copy where that is possible; None if it has none."""
    if isinstance(tensor, np.ndarray):
        return tensor if tensor.dtype.kind in "fiub" and tensor.size else None
    tensor = tensor.detach()
    if tensor.is_sparse:
        tensor = tensor.coalesce().values()
    if tensor.device.type != "cpu":
        tensor = tensor.cpu()
    try:
        array = tensor.numpy()
    except (TypeError, RuntimeError):
        array = tensor.float().numpy()
    if array.dtype.kind not in "fiub" or array.size == 0:
        return None
    return array


class Batch:
    """The tensors of one check."""

    def __init__(self):
        self.buffer = np.empty(1 << 16, np.float32)
        self.clear()

    def clear(self):
        self.used = 0
        self.starts = []
        self.rows = []    # layer, role, slot, count
        self.shapes = []  # of outputs, for units
        self.flat = []    # kind of activation, or None

    def _take(self, size):
        start, self.used = self.used, self.used + size
        if self.used > len(self.buffer):
            larger = np.empty(max(self.used, 2 * len(self.buffer)), np.float32)
            larger[:start] = self.buffer[:start]
            self.buffer = larger
        return start, self.buffer[start:self.used]

    def add(self, layer, role, slot, array, kind=None):
        """Take the values now. Returns where they are, for `add_change`."""
        count = array.size
        shape = array.shape
        if count > LARGEST:
            array = array.reshape(-1)[::-(-count // LARGEST)]
            shape = ()
        start, place = self._take(array.size)
        np.copyto(place.reshape(array.shape), array, casting="unsafe")
        self._row(start, (layer, role, slot, count), shape if role == OUTPUT else (), kind)
        return start, array.size, count

    def add_change(self, layer, slot, array, before):
        """The difference to what `add` took before."""
        start_before, size, count = before
        if count > LARGEST:
            array = array.reshape(-1)[::-(-count // LARGEST)]
        if array.size != size:
            return
        start, place = self._take(size)
        np.subtract(array.reshape(-1), self.buffer[start_before:start_before + size], out=place, casting="unsafe")
        self._row(start, (layer, UPDATE, slot, count), (), None)

    def _row(self, start, row, shape, kind):
        self.starts.append(start)
        self.rows.append(row)
        self.shapes.append(shape)
        self.flat.append(kind)

    def frames(self, step):
        """The records of all tensors as bytes, and whether all weights and gradients are finite; empties the batch."""
        if not self.rows:
            return b"", True
        with np.errstate(all="ignore"):
            table, finite = self._table(step)
        self.clear()
        return table.tobytes(), finite

    def _table(self, step):
        data = self.buffer[:self.used]
        starts = np.array(self.starts)
        ends = np.array([*self.starts[1:], self.used])
        sizes = ends - starts
        low = np.minimum.reduceat(data, starts)
        high = np.maximum.reduceat(data, starts)
        mean = np.add.reduceat(data, starts) / sizes
        square = np.add.reduceat(data * data, starts) / sizes
        zero = data == 0

        table = np.zeros(len(starts), _FRAME)
        table["length"], table["kind"], table["step"] = _FRAME.itemsize - 4, b"T", step
        rows = np.array(self.rows, np.int64)
        table["layer"], table["role"], table["slot"], table["count"] = rows.T
        table["min"], table["max"], table["mean"] = low, high, mean
        table["std"] = np.where(low == high, 0, np.sqrt(np.maximum(square - mean * mean, 0)))
        table["norm"] = np.sqrt(square * rows[:, 3])
        table["zeros"] = np.add.reduceat(zero, starts, dtype=np.intp) / sizes

        largest = np.maximum(-low, high)
        for row in np.nonzero(~(largest < 1e15) | ((largest < 1e-15) & (largest > 0)))[0]:
            _with_care(table[row:row + 1], data[starts[row]:ends[row]])
        for row, shape in enumerate(self.shapes):
            if len(shape) >= 2:
                values = data[starts[row]:ends[row]]
                table["units"][row], table["dead"][row] = _units(values.reshape(shape))
            if self.flat[row] in _FLAT:
                below, above = _FLAT[self.flat[row]]
                values = data[starts[row]:ends[row]]
                table["saturated"][row] = np.count_nonzero((values < below) | (values > above)) / len(values)
        return table, bool(np.isfinite(largest[rows[:, 1] >= WEIGHT]).all())


def _with_care(row, values):
    """Values that are not finite, or whose squares leave the range of single precision."""
    finite = values[np.isfinite(values)].astype(np.float64)
    row["nan"] = np.isnan(values).sum()
    row["inf"] = np.isinf(values).sum()
    if len(finite) == 0:
        row["mean"] = row["std"] = row["min"] = row["max"] = row["norm"] = np.nan
        return
    row["mean"], row["std"] = finite.mean(), finite.std()
    row["min"], row["max"] = finite.min(), finite.max()
    row["norm"] = np.sqrt((finite * finite).sum())


def _units(values):
    """Units of an output, and how many of them are zero on the whole batch."""
    if values.ndim >= 4 or values.ndim == 3 and values.shape[1] < values.shape[2] // 8:
        largest = np.abs(values).reshape(values.shape[0], values.shape[1], -1).max(axis=2).max(axis=0)
    else:
        largest = _largest_of_columns(np.abs(values).reshape(-1, values.shape[-1]))
    return len(largest), int(np.count_nonzero(largest < DEAD))


def _largest_of_columns(values):
    """The same as values.max(axis=0), which is slow if there are few columns."""
    rows, columns = values.shape
    fold = max(1, min(rows, 1024 // columns))
    whole = rows // fold * fold
    largest = values[:whole].reshape(-1, fold * columns).max(axis=0).reshape(fold, columns).max(axis=0)
    return largest if whole == rows else np.maximum(largest, values[whole:].max(axis=0))
