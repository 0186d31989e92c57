"""Runs a program of a campaign as `python3 SCRIPT …` would, and says afterwards what came of it.

    campaign_run.py SETUP SCRIPT [ARGUMENT …]

SETUP is a JSON file: `json`, files that the program may write and whose
texts are wanted; `overlay`, installed files (as "torch/nn/functional.py") with the file whose text
stands in for theirs. The installed files stay untouched: the import system is given the other text
under the installed name.

What came of it is written to $FAULTLINE_RESULT_FD as JSON at the very end, after the program's own
exit handlers: the uncaught exception with its innermost frame, the JSON texts, the CPU time of the
process and its children. A process that is killed or leaves by os._exit writes nothing.
"""

import atexit
import importlib.machinery
import importlib.util
import json
import linecache
import os
import resource
import sys
import traceback
import types

MOST_MESSAGE = 2000  # characters of an exception's message that are kept
MOST_JSON = 1 << 20  # bytes of a JSON file that are read


def installed(name):
    """The path of an installed file that is named relative to where packages are installed."""
    for folder in sys.path:
        path = os.path.join(folder, name)
        if os.path.isabs(path) and os.path.isfile(path):
            return path
    raise SystemExit(f"no installed file {name}")


def install_overlay(overlay):
    """From now on modules of these files are made from the other texts."""
    texts = {}
    for name, stand_in in overlay.items():
        with open(stand_in, "rb") as stream:
            texts[installed(name)] = stream.read()
    for path, data in texts.items():
        # What tracebacks and `inspect` show. Without a time the entry is never checked against the
        # file on disk.
        text = importlib.util.decode_source(data)
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    loader = importlib.machinery.SourceFileLoader
    get_code = loader.get_code

    def get_changed_code(self, fullname):
        path = self.get_filename(fullname)
        if path in texts:
            return self.source_to_code(texts[path], path)
        return get_code(self, fullname)

    loader.get_code = get_changed_code


def short_name(path, folder):
    """A file relative to the program's folder or to where packages are installed."""
    path = os.path.abspath(path)
    # The longest folder that holds it: dist-packages lies below the standard library's on some
    # machines.
    for root in sorted([folder, *sys.path], key=len, reverse=True):
        if root and path.startswith(os.path.join(root, "")):
            return os.path.relpath(path, root)
    return path


def describe(error, trace, folder):
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    try:
        message = str(error)
    except Exception:
        message = "(its message cannot be printed)"
    crash = {"exception": type(error).__name__, "message": message[:MOST_MESSAGE]}
    if trace is not None:
        code = trace.tb_frame.f_code
        crash["file"] = short_name(code.co_filename, folder)
        crash["line"] = trace.tb_lineno or code.co_firstlineno
        crash["function"] = code.co_name
        crash["statement"] = linecache.getline(code.co_filename, crash["line"]).strip()
    elif isinstance(error, SyntaxError) and error.filename:
        crash["file"] = short_name(error.filename, folder)
        crash["line"] = error.lineno or 0
        crash["statement"] = (error.text or "").strip()
    return crash


class Report:
    """What is written at the end, by this process only and not by a fork of it."""

    def __init__(self, fd, wanted, folder):
        self.fd = fd
        self.wanted = wanted
        self.folder = folder
        self.process = os.getpid()
        self.crash = None
        os.set_inheritable(fd, False)

    def write(self):
        if os.getpid() != self.process:
            return
        texts = {}
        for name in self.wanted:
            try:
                with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as stream:
                    texts[name] = stream.read(MOST_JSON)
            except OSError:
                pass  # never written: the metric is missing
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        result = {
            "crash": self.crash,
            "json": texts,
            "cpu_seconds": sum(u.ru_utime + u.ru_stime for u in used),
        }
        data = json.dumps(result).encode("utf-8", "replace")
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, data, 0)


def make_main(script, arguments):
    """Make this process look like `python3 script …` to the program; the module to run it in."""
    sys.argv = [script, *arguments]
    path = os.path.join(os.getcwd(), script)
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__cached__ = None
    main.__builtins__ = __builtins__
    main.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
    sys.modules["__main__"] = main
    return main


def run_program(main, report):
    """Run it; the exit status unless the program says so itself by SystemExit."""
    try:
        with open(main.__file__, "rb") as stream:
            source = stream.read()
        exec(compile(source, main.__file__, "exec"), main.__dict__)
        return 0
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            report.crash = {"exception": "exit 1", "message": str(end.code)[:MOST_MESSAGE]}
        raise
    except BaseException as error:
        trace = error.__traceback__.tb_next  # without this function
        report.crash = describe(error, trace, report.folder)
        sys.stdout.flush()
        if sys.excepthook is sys.__excepthook__:
            # The interpreter's own would print the installed text, not the one that ran.
            traceback.print_exception(type(error), error, trace)
        else:
            sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1


def main():
    script, *arguments = sys.argv[2:]
    with open(sys.argv[1], encoding="utf-8") as stream:
        setup = json.load(stream)
    report = Report(int(os.environ.pop("FAULTLINE_RESULT_FD")), setup["json"], os.getcwd())
    atexit.register(report.write)  # first in, last out
    install_overlay(setup["overlay"])
    status = run_program(make_main(script, arguments), report)
    if status != 0:
        sys.exit(status)


if __name__ == "__main__":
    main()
