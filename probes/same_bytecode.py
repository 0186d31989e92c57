"""Tell which changes of Python files make no difference to Python.

Reads the JSON file BATCH, {"files": [path of a text], "variants": [{"file": number of a text,
"edits": [[begin, end, text]]}]}, offsets in bytes, edits in order, and writes one word a variant to
the result descriptor: "equivalent" if its bytecode is that of the original, positions apart,
"different" if it is not, "broken" if Python refuses it.

Compiling a whole file for each variant would take minutes for a large library, so only the
top-level statement that a change lies in is compiled; the whole file if that does not decide.
"""

import __future__

import ast
import bisect
import dis
import io
import json
import os
import sys
import tokenize
import types
import warnings

REFUSALS = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


LOADS_CONSTANT = frozenset(dis.hasconst)
EXTENDED_ARG = dis.opmap["EXTENDED_ARG"]


def instructions(code):
    """Instructions with the constants themselves: constants that only dead code used stay behind in
    the table of constants and shift the others."""
    parts, high = [], 0
    data = code.co_code
    for at in range(0, len(data), 2):
        operation, argument = data[at], data[at + 1] | high
        high = argument << 8 if operation == EXTENDED_ARG else 0
        if operation in LOADS_CONSTANT:
            parts.append((operation, key(code.co_consts[argument])))
        elif operation != EXTENDED_ARG:
            parts.append((operation, argument))
    return tuple(parts)


def docstring(code):
    """A function's is its first constant, though no instruction loads it."""
    first = code.co_consts[0] if code.co_consts else None
    return first if isinstance(first, str) else None


def key(constant):
    """Equal for equal code; unlike ==, tells 1, 1.0 and True, and 0.0 and -0.0, apart."""
    if isinstance(constant, types.CodeType):
        code = constant
        return ("code", code.co_name, instructions(code), docstring(code), code.co_names,
                code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags,
                code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
                getattr(code, "co_exceptiontable", b""))
    if isinstance(constant, tuple):
        return ("tuple", tuple(key(inner) for inner in constant))
    if isinstance(constant, frozenset):
        return ("frozenset", tuple(sorted(repr(key(inner)) for inner in constant)))
    return (type(constant).__name__, repr(constant))


def future_flags(tree):
    flags = 0
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for name in statement.names:
                feature = getattr(__future__, name.name, None)
                flags |= feature.compiler_flag if feature else 0
    return flags


class Original:
    """A file, cut into pieces that hold whole top-level statements."""

    def __init__(self, data):
        self.data = data
        self.encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        self.whole = key(self.compile(data, 0))
        tree = ast.parse(data.decode(self.encoding))
        self.flags = future_flags(tree)
        starts = [0]
        for line in data.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.pieces = []  # [first byte, byte behind the last]
        for statement in tree.body:
            decorators = getattr(statement, "decorator_list", [])
            first = min([statement.lineno] + [d.lineno for d in decorators])
            begin, end = starts[first - 1], starts[statement.end_lineno]
            if self.pieces and begin < self.pieces[-1][1]:  # several statements on one line
                self.pieces[-1][1] = max(end, self.pieces[-1][1])
            else:
                self.pieces.append([begin, end])
        self.keys = {}

    def compile(self, data, flags):
        return compile(data.decode(self.encoding), "<text>", "exec", flags=flags,
                       dont_inherit=True)

    def piece_around(self, begin, end):
        at = bisect.bisect_right(self.pieces, [begin, sys.maxsize]) - 1
        if at >= 0 and self.pieces[at][0] <= begin and end < self.pieces[at][1]:
            return at
        return None

    def judge_piece(self, number, edits):
        begin, end = self.pieces[number]
        if number not in self.keys:
            self.keys[number] = key(self.compile(self.data[begin:end], self.flags))
        changed = apply(self.data[:end], edits)[begin:]
        return key(self.compile(changed, self.flags)) == self.keys[number]

    def judge(self, edits):
        number = self.piece_around(edits[0][0], edits[-1][1])
        if number is not None:
            try:
                return "equivalent" if self.judge_piece(number, edits) else "different"
            except REFUSALS:
                pass
        try:
            same = key(self.compile(apply(self.data, edits), 0)) == self.whole
        except REFUSALS:
            return "broken"
        return "equivalent" if same else "different"


def apply(data, edits):
    parts, at = [], 0
    for begin, end, text in edits:
        parts += [data[at:begin], text.encode()]
        at = end
    return b"".join(parts + [data[at:]])


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        return Original(data)
    except (*REFUSALS, LookupError):
        return None


def main():
    warnings.simplefilter("ignore")
    with open(sys.argv[1], encoding="utf-8") as file:
        batch = json.load(file)
    originals = [read(path) for path in batch["files"]]
    words = []
    for variant in batch["variants"]:
        original = originals[variant["file"]]
        words.append(original.judge(variant["edits"]) if original else "different")
    with os.fdopen(int(os.environ["FAULTLINE_RESULT_FD"]), "w") as result:
        json.dump(words, result)


main()
