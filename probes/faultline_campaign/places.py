"""Where the changes of variants lie in a module, and how the clean module is prepared to meet them.

A change inside a function is met when the outermost function around it is called: a line put at its
start asks whether a variant begins here. A change of a default value is made before the program
starts. Everything else is met where the module is executed.
"""

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Place:
    """Where one variant changes its file."""

    def __init__(self, kind, function=None, default=None):
        self.kind = kind  # "function", "defaults", "module"
        self.function = function  # its definition in the clean tree, for the first two
        self.default = default  # (is keyword only, index) of the changed default value


class Source:
    """The text of one file, its tree, and byte offsets."""

    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(text)
        self._starts = [0]
        for line in text.encode().splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def begin(self, node):
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node):
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def line_of(self, byte):
        low, high = 0, len(self._starts) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._starts[middle] <= byte:
                low = middle
            else:
                high = middle - 1
        return low + 1

    def outermost_functions(self):
        """(qualified name, definition) of every function that is not inside another one."""
        found = []

        def visit(node, prefix):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, FUNCTIONS):
                    found.append((prefix + child.name, child))
                elif isinstance(child, ast.ClassDef):
                    visit(child, prefix + child.name + ".")
                else:
                    visit(child, prefix)

        visit(self.tree, "")
        return found

    def locate(self, edits):
        """The place of a variant with these edits, [begin, end, text] each."""
        places = [self._locate_one(begin, end) for begin, end, _ in edits]
        kinds = {place.kind for place in places}
        functions = {id(place.function) for place in places}
        if kinds == {"function"} and len(functions) == 1:
            return places[0]
        if kinds == {"defaults"} and len(places) == 1:
            return places[0]
        return Place("module")

    def _locate_one(self, begin, end):
        for name, function in self.outermost_functions():
            if self.begin(function) <= begin and end <= self.end(function):
                if self.begin(function.body[0]) <= begin and not isinstance(function, ast.AsyncFunctionDef):
                    function.qualified = name
                    return Place("function", function)
                arguments = function.args
                for keyword_only, values in ((False, arguments.defaults), (True, arguments.kw_defaults)):
                    for index, value in enumerate(values):
                        if value is not None and self.begin(value) <= begin and end <= self.end(value):
                            function.qualified = name
                            return Place("defaults", function, (keyword_only, index))
                return Place("module")
        return Place("module")


def edited(text, edits):
    data = text.encode()
    for begin, end, new in sorted(edits, reverse=True):
        data = data[:begin] + new.encode() + data[end:]
    return data.decode()


def stub(function, number):
    """Put a line at the start of `function` that asks whether variants begin here, and if this
    process becomes one, calls the function anew with the arguments it was given."""
    arguments = function.args
    words = [a.arg for a in arguments.posonlyargs + arguments.args]
    if arguments.vararg:
        words.append("*" + arguments.vararg.arg)
    words += [f"{a.arg}={a.arg}" for a in arguments.kwonlyargs]
    if arguments.kwarg:
        words.append("**" + arguments.kwarg.arg)
    again = f"_faultline_again_{number}({', '.join(words)})"
    if is_generator(function):
        again = f"(yield from {again})"
    line = f"if _faultline_enter_{number} is not None and _faultline_enter_{number}():\n    return {again}"
    at = 1 if ast.get_docstring(function, clean=False) is not None else 0
    first = function.body[min(at, len(function.body) - 1)]
    statement = ast.parse(line).body[0]
    for node in ast.walk(statement):
        ast.copy_location(node, first)
    function.body.insert(at, statement)


def is_generator(function):
    todo = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, FUNCTIONS + (ast.Lambda, ast.ClassDef)):
            todo.extend(ast.iter_child_nodes(node))
    return False


def mark_checkpoint(tree, qualified):
    """Decorate the function of that name, so that each return of it is noticed."""
    parts = qualified.split(".")
    body, found = tree.body, None
    for index, part in enumerate(parts):
        wanted = FUNCTIONS if index == len(parts) - 1 else (ast.ClassDef,)
        found = next((n for n in ast.walk(ast.Module(body=body, type_ignores=[]))
                      if isinstance(n, wanted) and n.name == part), None)
        if found is None:
            return False
        body = found.body
    name = ast.Name("_faultline_epoch", ast.Load())
    ast.copy_location(name, found)
    for node in ast.walk(name):
        ast.copy_location(node, found)
    found.decorator_list.insert(0, name)
    return True
