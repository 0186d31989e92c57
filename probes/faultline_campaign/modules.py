"""Loads chosen modules from prepared source, and runs a script as the interpreter would.

Whoever prepares them (template.py, reference.py) says by file what code to run and what to do just
before a module is executed.
"""

__faultline__ = True

import ast
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types


def module_name(file):
    parts = file[:-3].split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Finder:
    """Finds the modules of `files` (path → absolute path) where they would be found anyway, but
    loads them through `preparer`."""

    def __init__(self, files, preparer):
        self._names = {module_name(file): (file, path) for file, path in files.items()}
        self._preparer = preparer

    def find_spec(self, name, path=None, target=None):
        if name not in self._names:
            return None
        file, expected = self._names[name]
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or os.path.realpath(spec.origin) != os.path.realpath(expected):
            return None
        spec.loader = Loader(name, spec.origin, file, self._preparer)
        return spec


class Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name, path, file, preparer):
        super().__init__(name, path)
        self._file = file
        self._preparer = preparer

    def exec_module(self, module):
        code = self._preparer.enter_module(self._file, self.path)
        exec(code, module.__dict__)


def load_file(name, path):
    """A module by its file, under a name of our own."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def read_source(path):
    with open(path, "rb") as stream:
        return importlib.util.decode_source(stream.read())


def imported_libraries(texts):
    """Modules from elsewhere that these files import at their top, unguarded, in order."""
    own = {module_name(file).split(".")[0] for file in texts}
    names = []
    for text in texts.values():
        try:
            body = ast.parse(text).body
        except SyntaxError:
            continue
        for statement in body:
            if isinstance(statement, ast.Import):
                found = [alias.name for alias in statement.names]
            elif isinstance(statement, ast.ImportFrom) and statement.level == 0 and statement.module:
                found = [statement.module]
            else:
                continue
            names += [name for name in found if name.split(".")[0] not in own and name not in names]
    return names


def new_main(script):
    main = types.ModuleType("__main__")
    main.__file__ = script
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    sys.path[0] = os.path.dirname(os.path.realpath(script))
    return main


def describe_crash(error):
    """The innermost frame of an exception's traceback, as the store keeps it."""
    import linecache

    trace = error.__traceback__
    frame = None
    while trace is not None:
        if "__faultline__" not in trace.tb_frame.f_globals:
            frame = trace
        trace = trace.tb_next
    crash = {"exception": type(error).__name__, "message": str(error)[:2000]}
    if frame is not None:
        code = frame.tb_frame.f_code
        crash.update(file=code.co_filename, line=frame.tb_lineno, function=code.co_qualname,
                     statement=linecache.getline(code.co_filename, frame.tb_lineno).strip())
    elif isinstance(error, SyntaxError):
        crash.update(file=error.filename or "", line=error.lineno or 0, function="",
                     statement=(error.text or "").strip())
    return crash


def own_trace(error):
    """The traceback without the frames of probes at its outer end."""
    trace = error.__traceback__
    while trace is not None and "__faultline__" in trace.tb_frame.f_globals:
        trace = trace.tb_next
    return trace
