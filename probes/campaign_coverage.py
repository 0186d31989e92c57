"""Runs the clean program of a campaign under coverage.py, told apart by phase and segment.

    campaign_coverage.py SETUP SCRIPT [ARGUMENT …]

SETUP is a JSON file:
    files       whose lines are wanted: the program's own relative to its folder, installed ones
                relative to where packages are installed ("torch/nn/functional.py")
    phases      [{name, regions: [{file, function, lines}]}]
    checkpoint  {file, function}, or null

Coverage starts before the program does, so the lines that an import executes count. Only what the
interpreter and coverage.py themselves import first is missed: parts of the standard library, never
numpy or torch.

The program begins in the first phase. The phase in force changes when a function of a phase's region
is entered; the more exact region counts (lines before function before file), then the first. When
that function returns, what called it in another phase goes on in that one, and code that no phase
claims goes on in the phase that it comes back from. So every line that runs is in a phase, and one
that runs in two is in both. Lines of a range belong to its phase, and so does what they call: a
library that they import is loaded in their phase. The segment counts the returns of the checkpoint
function.

coverage.py flushes to its database whenever the context changes, which is milliseconds; here the
context may change with every call. So its line sets are emptied into sets of our own, and go into
its data, context by context, at the end. $FAULTLINE_RESULT_FD gets
    {"contexts": {"phase|segment": {file: [line, …]}}, "checkpoints": N}
"""

import importlib.machinery
import json
import os
import sys
import threading
import types

import coverage


def full_path(name, folder):
    for root in [folder, *sys.path[1:]]:
        path = os.path.join(root, name)
        if os.path.isabs(path) and os.path.isfile(path):
            return os.path.realpath(path)
    return None


class Regions:
    """Which phase a function or line of the program belongs to."""

    def __init__(self, phases, folder):
        self.first = phases[0]["name"] if phases else ""
        self.files, self.functions, self.lines = {}, {}, {}
        for phase in phases:
            for region in phase["regions"]:
                path = os.path.join(folder, region["file"])
                if region["lines"]:
                    first, last = region["lines"]
                    self.lines.setdefault(path, []).append((first, last, phase["name"]))
                elif region["function"]:
                    self.functions.setdefault((path, region["function"]), phase["name"])
                else:
                    self.files.setdefault(path, phase["name"])

    def of_code(self, code):
        path = code.co_filename
        name = code.co_qualname.replace(".<locals>", "")
        return self.functions.get((path, name)) or self.files.get(path)

    def of_line(self, path, line):
        for first, last, phase in self.lines.get(path, ()):
            if first <= line <= last:
                return phase
        return None


class Recorder:
    def __init__(self, cov, regions, checkpoint, folder):
        self.data = cov._collector.data  # file → set of lines, filled by the C tracer
        self.regions = regions
        self.checkpoint = checkpoint
        self.folder = os.path.join(folder, "")
        self.phase, self.segment, self.checkpoints = regions.first, 0, 0
        self.contexts = {}
        self.stack = []
        self.known = {}  # code object's address → (code, phase or None, is it the checkpoint)

    def flush(self):
        """Move what was executed so far to the context that was in force."""
        for path, lines in list(self.data.items()):
            if not lines:
                continue
            ranged = path in self.regions.lines
            for line in list(lines) if ranged else ():
                phase = self.regions.of_line(path, line)
                if phase is not None:
                    self.keep(phase, path, (line,))
                    lines.discard(line)
            self.keep(self.phase, path, lines)
            lines.clear()

    def keep(self, phase, path, lines):
        self.contexts.setdefault((phase, self.segment), {}).setdefault(path, set()).update(lines)

    def enter(self, frame, phase):
        self.stack.append((frame, self.phase))
        if phase != self.phase:
            self.flush()
            self.phase = phase

    def look_up(self, code):
        own = code.co_filename.startswith(self.folder)
        phase = self.regions.of_code(code) if own else None
        name = code.co_qualname.replace(".<locals>", "")
        entry = (code, phase, own and (code.co_filename, name) == self.checkpoint)
        self.known[id(code)] = entry
        return entry

    def profile(self, frame, event, _argument):
        if event == "call":
            code = frame.f_code
            entry = self.known.get(id(code)) or self.look_up(code)
            phase = entry[1]
            if phase is None:
                back = frame.f_back
                if self.regions.lines and back is not None and back.f_code.co_filename in self.regions.lines:
                    phase = self.regions.of_line(back.f_code.co_filename, back.f_lineno)
            if phase is not None:
                self.enter(frame, phase)
        elif event == "return":
            if self.stack and self.stack[-1][0] is frame:
                before = self.stack.pop()[1]
                if self.stack and before != self.phase:
                    self.flush()
                    self.phase = before
            entry = self.known.get(id(frame.f_code))
            if entry is not None and entry[2]:
                self.flush()
                self.checkpoints += 1
                self.segment = self.checkpoints


def run_program(script, arguments):
    """Run it as `python3 script …` would; the exit status."""
    sys.argv = [script, *arguments]
    path = os.path.join(os.getcwd(), script)
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__cached__ = None
    main.__builtins__ = __builtins__
    main.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
    sys.modules["__main__"] = main
    try:
        with open(path, "rb") as stream:
            source = stream.read()
        exec(compile(source, path, "exec"), main.__dict__)
        return 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:
        trace = error.__traceback__.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        setup = json.load(stream)
    script, *arguments = sys.argv[2:]
    folder = os.path.realpath(os.getcwd())
    result_fd = int(os.environ.pop("FAULTLINE_RESULT_FD"))
    os.set_inheritable(result_fd, False)
    names = {}
    for name in setup["files"]:
        path = full_path(name, folder)
        if path is not None:
            names[path] = name
    cov = coverage.Coverage(data_file=None, config_file=False, branch=False, include=list(names))
    cov._warn = lambda *_arguments, **_options: None  # it would speak in the program's log
    cov.start()
    checkpoint = setup["checkpoint"]
    if checkpoint is not None:
        checkpoint = (os.path.join(folder, checkpoint["file"]), checkpoint["function"])
    recorder = Recorder(cov, Regions(setup["phases"], folder), checkpoint, folder)
    sys.setprofile(recorder.profile)
    status = run_program(script, arguments)
    sys.setprofile(None)
    threading._shutdown()  # threads of the program still count
    recorder.flush()
    cov.stop()

    data = cov.get_data()
    for (phase, segment), lines in recorder.contexts.items():
        data.set_context(f"{phase}|{segment}")
        data.add_lines(lines)
    contexts = {}
    for context in data.measured_contexts():
        if not context:
            continue
        data.set_query_context(context)
        contexts[context] = {names[path]: sorted(lines) for path in data.measured_files()
                             if path in names and (lines := data.lines(path))}
    result = json.dumps({"contexts": contexts, "checkpoints": recorder.checkpoints})
    sys.stdout.flush()
    with os.fdopen(result_fd, "w", encoding="utf-8") as stream:
        stream.write(result)
    # Everything is known; taking the framework apart would only cost time.
    os._exit(status & 0xFF)


main()
