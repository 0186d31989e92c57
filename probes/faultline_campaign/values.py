"""Which changed expressions would have had another value in the clean run, and when.

The clean program evaluates, beside each expression that variants change, what they would make of it,
and notes the segments of the run in which one differed. A variant whose expression never differed is
the clean program; one that differed only early, and has the clean state later, is the clean program
from there on.

Only expressions whose other value can be had without side effects are watched: an arithmetic
operation, one comparison, `and` and `or` of harmless operands, and numbers inside of these. For all
others a variant counts as different wherever its line is executed.
"""

__faultline__ = True

import ast
import operator

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
           ast.Div: operator.truediv, ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv,
           ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
           ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Pow: operator.pow}
_COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
            ast.Gt: operator.gt, ast.GtE: operator.ge}
_HARMLESS_CALLS = {"isinstance", "len", "callable", "hasattr", "issubclass", "type"}


class Watch:
    """Collects what the watched expressions tell. `segment` counts the checkpoints passed."""

    def __init__(self):
        self.segment = 0
        self.sites = []
        self.differs = {}  # variant → segments

    def new_site(self, original, others):
        """`others`: (variant, function of the same operands)."""
        for variant, _ in others:
            self.differs.setdefault(variant, set())
        self.sites.append((original, others))
        return len(self.sites) - 1

    def evaluate(self, number, *operands):
        original, others = self.sites[number]
        value = original(*operands)
        for variant, other in others:
            if self.segment not in self.differs[variant]:
                try:
                    same = _same(value, other(*operands))
                except Exception:
                    same = False
                if not same:
                    self.differs[variant].add(self.segment)
        return value


def _same(a, b):
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, (bool, int, str)):
        return a == b
    if isinstance(a, float):
        return a == b and str(a) == str(b)
    return False


def _harmless(node):
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            if not (isinstance(each.func, ast.Name) and each.func.id in _HARMLESS_CALLS):
                return False
        elif not isinstance(each, (ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp,
                                   ast.UnaryOp, ast.Subscript, ast.BinOp, ast.operator, ast.cmpop,
                                   ast.boolop, ast.unaryop, ast.expr_context, ast.Tuple)):
            return False
    return True


def _and(test):
    # In a test only the truth counts.
    return (lambda a, b: bool(a and b())) if test else (lambda a, b: a and b())


def _or(test):
    return (lambda a, b: bool(a or b())) if test else (lambda a, b: a or b())


class Watcher(ast.NodeTransformer):
    """Replaces the expressions of a tree that variants change by calls of a Watch.

    `variants` is a list of (number, begin, end, text): one edit each.
    """

    def __init__(self, source, watch, variants):
        self.source = source
        self.watch = watch
        self.variants = variants
        self._tests = set()

    def _inside(self, left, right):
        """Variants that change what stands between two operands: the operator."""
        low, high = self.source.end(left), self.source.begin(right)
        return [v for v in self.variants if low <= v[1] and v[2] <= high]

    def _of_number(self, node):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, (int, float))):
            return []
        return [v for v in self.variants
                if v[1] == self.source.begin(node) and v[2] == self.source.end(node)]

    def _call(self, node, others, original, operands):
        number = self.watch.new_site(original, others)
        call = ast.Call(ast.Name("_faultline_watch", ast.Load()), [ast.Constant(number)] + operands, [])
        for each in [call, call.func, call.args[0]]:
            ast.copy_location(each, node)
        return call

    def _two_sided(self, node, left, right, operation, table):
        others = []
        for number, _, _, text in self._inside(left, right):
            changed = _operation_of(text.strip(), table)
            if changed is not None:
                others.append((number, changed))
        for side, operand in ((0, left), (1, right)):
            for number, _, _, text in self._of_number(operand):
                try:
                    value = ast.literal_eval(text.strip())
                except (ValueError, SyntaxError):
                    continue
                others.append((number, _with_operand(operation, side, value)))
        return others

    def visit_BinOp(self, node):
        operation = _BINARY.get(type(node.op))
        others = self._two_sided(node, node.left, node.right, operation, _BINARY) if operation else []
        self.generic_visit(node)
        return self._call(node, others, operation, [node.left, node.right]) if others else node

    def visit_Compare(self, node):
        operation = _COMPARE.get(type(node.ops[0])) if len(node.ops) == 1 else None
        others = []
        if operation:
            others = self._two_sided(node, node.left, node.comparators[0], operation, _COMPARE)
        self.generic_visit(node)
        return self._call(node, others, operation, [node.left, node.comparators[0]]) if others else node

    def visit_BoolOp(self, node):
        others = []
        is_test = id(node) in self._tests
        if len(node.values) == 2 and _harmless(node.values[1]):
            for number, _, _, text in self._inside(*node.values):
                word = text.strip()
                if word in ("and", "or"):
                    others.append((number, _and(is_test) if word == "and" else _or(is_test)))
        right = node.values[1]
        self.generic_visit(node)
        if not others:
            return node
        later = ast.Lambda(ast.arguments([], [], None, [], [], None, []), node.values[1])
        ast.copy_location(later, right)
        original = _and(is_test) if isinstance(node.op, ast.And) else _or(is_test)
        return self._call(node, others, original, [node.values[0], later])

    def _note_test(self, test):
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test = test.operand
        self._tests.add(id(test))

    def visit_If(self, node):
        self._note_test(node.test)
        return self.generic_visit(node)

    visit_While = visit_If
    visit_IfExp = visit_If
    visit_Assert = visit_If

    def visit_ClassDef(self, node):
        # A lambda in a class's body would not see the body's names.
        for index, statement in enumerate(node.body):
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                node.body[index] = self.visit(statement)
        return node


def _with_operand(operation, side, value):
    if side == 0:
        return lambda left, right: operation(value, right)
    return lambda left, right: operation(left, value)


def _operation_of(text, table):
    try:
        node = ast.parse(f"a {text} b", mode="eval").body
    except SyntaxError:
        return None
    if isinstance(node, ast.BinOp):
        return table.get(type(node.op))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return table.get(type(node.ops[0]))
    return None
