"""The clean program, run up to each place where a variant begins; there a fork becomes the variant.

    template.py SOCKET_FD ORDER_FD

The order is JSON (see src/campaign/template.cpp): the program's files and command, the variants with
their edits, what the reference run found, the limits. The other end of the socket is Faultline:

    to Faultline                       from Faultline
    variant N KIND PREFIX_WALL         go, with the log, the status pipe and the result file
    (a pidfd of the job)               next | defer, when the job has ended
    end                                (nothing more)

A job is a fork with namespaces of its own, as those of fork_server.py are. Its result file says how
the program ended. A variant that turns out to be the clean program from some checkpoint on ends
there; one that may differ again later is put off (`defer`) and begun anew before the last epoch.
"""

__faultline__ = True

import ast
import atexit
import builtins
import functools
import gc
import json
import os
import random
import signal
import socket
import sys
import threading
import traceback
import types

# Names that no program's module has.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from faultline_campaign import clocks, modules, places, state  # noqa: E402

jobs = modules.load_file("faultline_campaign.jobs", os.path.join(sys.path[0], "fork_server.py"))
cold = modules.load_file("faultline_campaign.cold", os.path.join(sys.path[0], "campaign_run.py"))
MOST_SCRATCH = 64 * 1024 * 1024  # bytes that a program may have written before a fork


class Variant:
    def __init__(self, number, order, place):
        self.number = number
        self.file = order["file"]
        self.edits = order["edits"]
        self.differs = order.get("differs")  # segments; None: anywhere
        self.place = place
        self.occurrence = 0  # among the functions of the same name in its file


class Entry:
    """Called at the start of a function in which variants begin."""

    def __init__(self, template, number):
        self._template = template
        self._number = number

    def __call__(self):
        return self._template.enter_function(self._number, sys._getframe(1).f_code)


class Template:
    def __init__(self, server, order):
        self.server = server
        self.order = order
        self.root = order["root"]  # the program's folder
        self.scratch = (order["scratch"], "/tmp", "/dev/shm")  # what it may write to
        self.reference = order.get("reference") or {}
        self.checkpoints = self.reference.get("checkpoints", 0)
        self.passed = 0  # checkpoints
        self.own_checkpoints = 0  # since this process became a variant
        self.compare_at = 0  # the first of those at which the state is compared
        self.variant = None  # what this process has become
        self.start = ""
        self.deferred_start = False
        self.deferred = []
        self.result_fd = -1
        self.paths = {}  # file → absolute path
        self.sources = {}
        self.at_module = {}  # file → variants
        self.at_function = {}  # stub number → variants
        self.at_main = []
        self.stubs = {}  # file → [(definition, stub number)]

    # Before the program

    def prepare(self):
        early = set(self.reference.get("early", ()))
        for number, each in enumerate(self.order["variants"]):
            path = os.path.join(self.root, each["file"]) if each["own"] else cold.installed(each["file"])
            source = self.source(each["file"], path)
            place = source.locate(each["edits"])
            variant = Variant(number, each, place)
            name = f"{variant.file}:{getattr(place.function, 'qualified', '')}"
            if place.kind == "defaults" and name in early:
                place.kind = "module"
            if self.order["mode"] == "exact" and place.kind == "function" and name not in early:
                place.kind = "function at start"
            self.sort_in(variant, source)
        of_file = self.order["checkpoint"].rpartition(":")[0]
        if of_file:
            self.source(of_file, os.path.join(self.root, of_file))
        for number in self.at_function:
            setattr(builtins, f"_faultline_enter_{number}", Entry(self, number))
        builtins._faultline_epoch = self.count_epochs
        sys.meta_path.insert(0, modules.Finder(self.paths, self))

    def source(self, file, path):
        if file not in self.sources:
            self.paths[file] = path
            self.sources[file] = places.Source(modules.read_source(path))
        return self.sources[file]

    def sort_in(self, variant, source):
        place = variant.place
        if place.kind == "module":
            self.at_module.setdefault(variant.file, []).append(variant)
            return
        same = [f for name, f in source.outermost_functions() if name == place.function.qualified]
        variant.occurrence = next(i for i, f in enumerate(same) if f is place.function)
        if place.kind == "defaults" and variant.file in self.order["files"]:
            # The program's own modules are not loaded before its first line.
            self.at_module.setdefault(variant.file, []).append(variant)
            return
        if place.kind in ("defaults", "function at start"):
            self.at_main.append(variant)
            return
        stubs = self.stubs.setdefault(variant.file, [])
        number = next((n for f, n in stubs if f is place.function), None)
        if number is None:
            number = sum(map(len, self.stubs.values()))
            stubs.append((place.function, number))
        self.at_function.setdefault(number, []).append(variant)

    def lay_out(self):
        for path, text in self.order["files"].items():
            full = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "wb") as stream:
                stream.write(text.encode("utf-8", "surrogateescape"))
        os.chdir(self.root)
        os.environ.clear()
        os.environ.update(self.order["variables"])
        self.log = os.memfd_create("log")
        null = os.open("/dev/null", os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(self.log, 1)
        os.dup2(self.log, 2)
        os.close(null)

    # Code

    def enter_module(self, file, path):
        """The code to execute for a module that is about to run: a variant's, or the clean one."""
        if self.variant is None:
            for variant in self.at_module.pop(file, []):
                if self.fork(variant, "module"):
                    code = self.compile(file, path, self.changed_text(variant))
                    self.go_on()
                    return code
        if self.late_text is not None and self.late_text[0] == file:
            return self.compile(file, path, self.late_text[1])
        return self.compile(file, path, None)

    def compile(self, file, path, changed):
        if changed is None:
            source = self.sources[file]
            tree = source.tree
            if self.variant is None:
                for function, number in self.stubs.get(file, []):
                    places.stub(function, number)
            else:
                tree = ast.parse(source.text)
        else:
            tree = ast.parse(changed)
            remember_lines(path, changed)
        self.mark_checkpoint(file, tree)
        return compile(tree, path, "exec", dont_inherit=True)

    def mark_checkpoint(self, file, tree):
        of_file, _, function = self.order["checkpoint"].rpartition(":")
        if of_file == file:
            places.mark_checkpoint(tree, function)

    def changed_text(self, variant):
        return places.edited(self.sources[variant.file].text, variant.edits)

    def changed_function(self, variant):
        """The code of the changed function."""
        path = self.paths[variant.file]
        text = self.changed_text(variant)
        remember_lines(path, text)
        module = compile(text, path, "exec", dont_inherit=True)
        same = [c for c in outermost_code(module) if c.co_qualname == variant.place.function.qualified]
        return same[variant.occurrence]

    def live_functions(self, variant):
        """The function objects that a variant changes, wherever they are."""
        path, name = self.paths[variant.file], variant.place.function.qualified
        found = [f for f in gc.get_objects() if type(f) is types.FunctionType
                 and f.__code__.co_qualname == name and f.__code__.co_filename == path]
        lines = sorted({f.__code__.co_firstlineno for f in found})
        if len(lines) > variant.occurrence:
            found = [f for f in found if f.__code__.co_firstlineno == lines[variant.occurrence]]
        return found

    def swap(self, variant, functions):
        """Give the changed code to the function objects. Falls back to a cold start."""
        try:
            code = self.changed_function(variant)
            for function in functions:
                function.__code__ = code
        except Exception as error:
            self.give_up(f"cannot swap code: {error}")
        if not functions:
            self.give_up("no such function")

    def set_default(self, variant):
        keyword_only, index = variant.place.default
        tree = ast.parse(self.changed_text(variant))
        wanted = variant.place.function.qualified
        changed = places.Source.__new__(places.Source)
        changed.tree = tree
        same = [f for name, f in changed.outermost_functions() if name == wanted]
        arguments = same[variant.occurrence].args
        functions = self.live_functions(variant)
        if not functions:
            self.give_up("no such function")
        try:
            for function in functions:
                expression = (arguments.kw_defaults if keyword_only else arguments.defaults)[index]
                value = eval(compile(ast.Expression(expression), "<default>", "eval"), function.__globals__)
                if keyword_only:
                    function.__kwdefaults__[arguments.kwonlyargs[index].arg] = value
                else:
                    values = list(function.__defaults__)
                    values[index] = value
                    function.__defaults__ = tuple(values)
        except Exception as error:
            self.give_up(f"cannot set the default: {error}")
        remember_lines(self.paths[variant.file], self.changed_text(variant))

    # Where variants begin

    def enter_function(self, number, code):
        """True in a process that has become a variant: the function is then called anew."""
        for variant in self.at_function.pop(number, []):
            if self.fork(variant, "function"):
                functions = [f for f in gc.get_referrers(code)
                             if type(f) is types.FunctionType and f.__code__ is code]
                self.swap(variant, functions)
                setattr(builtins, f"_faultline_again_{number}", functions[0])
                self.go_on()
                return True
        setattr(builtins, f"_faultline_enter_{number}", None)
        return False

    def enter_main(self):
        """Before the program's first line, its libraries loaded."""
        for variant in self.at_main:
            if self.fork(variant, "defaults" if variant.place.kind == "defaults" else "function"):
                if variant.place.kind == "defaults":
                    self.set_default(variant)
                    self.go_on()
                    return
                if variant.file in self.loaded_files():
                    self.swap(variant, self.live_functions(variant))
                else:
                    self.late_text = (variant.file, self.changed_text(variant))
                self.go_on()
                return

    def loaded_files(self):
        return {file for file in self.paths if modules.module_name(file) in sys.modules}

    def count_epochs(self, function):
        @functools.wraps(function)
        def run_epoch(*args, **kwargs):
            value = function(*args, **kwargs)
            self.pass_checkpoint(sys._getframe(1), value)
            return value

        return run_epoch

    def pass_checkpoint(self, frame, value):
        self.passed += 1
        if self.variant is None:
            if self.passed == self.checkpoints - 1:
                for variant in self.deferred:
                    if self.fork(variant, "deferred"):
                        self.begin_deferred(variant)
                        return
            return
        self.own_checkpoints += 1
        if self.deferred_start or not self.order["compare_states"] or self.variant.differs is None:
            return
        digests = self.reference.get("digests", [])
        if self.passed > len(digests) or self.own_checkpoints < self.compare_at:
            return
        before = clocks.real_cpu()
        digest = state.take(frame, self.program_modules())
        digest.add(value)
        clocks.hide_cpu(clocks.real_cpu() - before)
        if digest.text() == digests[self.passed - 1]:
            self.decide(frame)
        else:
            # What has once gone another way seldom comes back: look again after twice as long.
            self.compare_at = 2 * self.own_checkpoints

    def decide(self, frame):
        """The state is the clean run's: end here if nothing can differ any more, or put it off."""
        n, k = self.checkpoints, self.passed
        later = {s for s in self.variant.differs if s >= k}
        if not later:
            self.finish(0, decision="same-state")
        regular = later >= set(range(k, n)) or later <= {n - 1, n}
        if regular and k < n - 1 and self.variant.place.kind != "module" and not self.is_active(frame):
            self.finish(0, decision="defer")

    def is_active(self, frame):
        """Whether the changed function is being executed: its code could not be swapped."""
        if self.variant.place.kind == "defaults":
            return False
        name, path = self.variant.place.function.qualified, self.paths[self.variant.file]
        while frame is not None:
            if frame.f_code.co_qualname == name and frame.f_code.co_filename == path:
                return True
            frame = frame.f_back
        return False

    def begin_deferred(self, variant):
        self.deferred_start = True
        if variant.place.kind == "defaults":
            self.set_default(variant)
        else:
            self.swap(variant, self.live_functions(variant))
        self.go_on()

    def program_modules(self):
        own = [sys.modules["__main__"]]
        for file in sorted(self.order["files"]):
            if file.endswith(".py"):
                module = sys.modules.get(modules.module_name(file))
                if module is not None and getattr(module, "__file__", "").startswith(self.root):
                    own.append(module)
        return own

    # Forking

    def obstacle(self):
        """Why this process cannot be forked here; nothing if it can."""
        with open("/proc/self/status") as stream:
            threads = next(line for line in stream if line.startswith("Threads:"))
        if int(threads.split()[1]) > 1:
            return "it has threads"
        for fd in os.listdir("/proc/self/fd"):
            try:
                target = os.readlink(f"/proc/self/fd/{fd}")
                if int(fd) > 2 and target.startswith(self.scratch):
                    with open(f"/proc/self/fdinfo/{fd}") as stream:
                        flags = next(line for line in stream if line.startswith("flags:"))
                    if int(flags.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY:
                        return f"it has {target} open"
            except OSError:
                continue
        return ""

    def fork(self, variant, kind):
        """Ask for a job. True in the process that is the variant; it must call `go_on`."""
        began, cpu_began, program_cpu = clocks.real_perf(), clocks.real_cpu(), clocks.cpu()
        sys.stdout.flush()
        sys.stderr.flush()
        obstacle = self.obstacle()
        if obstacle:
            self.say(f"cold {variant.number} {obstacle}")
            self.hear()
            return False
        self.say(f"variant {variant.number} {kind} {clocks.real_perf() - clocks._still - self.began:.6f}")
        answer, fds, _, _ = socket.recv_fds(self.server, 64, 3)
        if not answer:
            os._exit(0)
        random_state = random.getstate()  # a fork seeds its generator anew
        child = os.fork()
        if child == 0:
            self.fork_moment = (began, program_cpu, random_state)
            self.variant, self.start = variant, kind
            self.become_job(*fds)
            return True
        for fd in fds:
            os.close(fd)
        os.waitpid(child, 0)
        if self.hear() == "defer":
            self.deferred.append(variant)
        clocks.stand_still(clocks.real_perf() - began)
        clocks.hide_cpu(clocks.real_cpu() - cpu_began)
        return False

    def go_on(self):
        """The program goes on, now as a variant."""
        for number in list(self.at_function) + [n for stubs in self.stubs.values() for _, n in stubs]:
            setattr(builtins, f"_faultline_enter_{number}", None)
        began, program_cpu, random_state = self.fork_moment
        random.setstate(random_state)
        clocks.begin_child(program_cpu)
        clocks.stand_still(clocks.real_perf() - began)

    def say(self, text):
        self.server.send(text.encode())

    def hear(self):
        answer = self.server.recv(64)
        if not answer:
            os._exit(0)
        return answer.decode()

    def become_job(self, log_fd, status_fd, result_fd):
        """Returns only in the process that is to go on with the program."""
        limits = self.order["limits"]
        try:
            scratch = read_scratch(self.scratch)
            jobs.libc.prctl(jobs.PR_SET_DUMPABLE, 1)
            jobs.enter_namespaces()
            wait_fd, go_fd = os.pipe()
            first = os.fork()
        except Exception as error:  # the machine's failure, whatever it is: say it and end
            os.write(status_fd, f"!template: {error}".encode())
            self.say("x")  # no pidfd will come
            os._exit(125)
        if first != 0:
            for fd in (log_fd, status_fd, result_fd):
                os.close(fd)
            socket.send_fds(self.server, [b"p"], [os.pidfd_open(first)])
            os.write(go_fd, b"g")
            os.waitpid(first, 0)
            os._exit(0)
        jobs.libc.prctl(jobs.PR_SET_PDEATHSIG, signal.SIGKILL)
        self.server.close()
        os.close(go_fd)
        if not os.read(wait_fd, 1):
            os._exit(125)
        os.close(wait_fd)
        try:
            for path in self.scratch:
                jobs.mount_scratch(path, limits["tmpfs"])
            jobs.libc.mount(b"proc", b"/proc", b"proc", jobs.MS_NOSUID | jobs.MS_NODEV, None)
            write_scratch(scratch)
            os.chdir(self.root)
            program = os.fork()
        except OSError as error:
            os.write(status_fd, f"!{error}".encode())
            os._exit(125)
        if program != 0:
            os.close(log_fd)
            os.close(result_fd)
            while True:
                pid, status, usage = os.wait4(-1, 0)
                if pid == program:
                    micros = int((usage.ru_utime + usage.ru_stime) * 1e6)
                    os.write(status_fd, f"{status} {micros} {usage.ru_maxrss}".encode())
                    os._exit(0)
        os.close(status_fd)
        self.result_fd = result_fd
        printed = os.pread(self.log, os.fstat(self.log).st_size, 0)
        os.close(self.log)
        os.dup2(log_fd, 1)
        os.dup2(log_fd, 2)
        os.close(log_fd)
        while printed:
            printed = printed[os.write(1, printed):]
        jobs.drop_capabilities()
        jobs.set_limits(limits)
        os.nice(jobs.NICENESS)

    # The end

    def give_up(self, why):
        os.pwrite(self.result_fd, json.dumps({"cold": why}).encode(), 0)
        os._exit(0)

    def finish(self, status, crash=None, decision="ran"):
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            pass
        result = {"decision": decision, "cpu_seconds": clocks.cpu(), "crash": crash,
                  "wall": clocks.real_perf() - clocks._still - self.began,
                  "passed": self.passed, "checkpoints": self.own_checkpoints, "json": self.written()}
        try:  # the program may have written there, or closed it
            os.ftruncate(self.result_fd, 0)
            os.pwrite(self.result_fd, json.dumps(result).encode(), 0)
        except OSError:
            pass
        os._exit(status)

    def written(self):
        """The JSON files that the program wrote."""
        texts = {}
        for name in self.order["json"]:
            try:
                with open(os.path.join(self.root, name), encoding="utf-8", errors="replace") as stream:
                    texts[name] = stream.read(cold.MOST_JSON)
            except OSError:
                pass
        return texts

    def run(self):
        arguments = self.order["arguments"]
        self.late_text = None
        self.lay_out()
        clocks.install()
        self.began = clocks.real_perf()
        clocks.hide_cpu(clocks.real_cpu())
        script = os.path.join(self.root, arguments[0])
        try:
            texts = {f: t for f, t in self.order["files"].items() if f.endswith(".py")}
            sys.path[0] = self.root
            before = clocks.real_cpu()
            self.prepare()
            names = modules.imported_libraries(texts)
            clocks.hide_cpu(clocks.real_cpu() - before)
            for name in names:
                self.load(name)
            if self.variant is None:
                self.enter_main()
            sys.argv = [arguments[0]] + arguments[1:]
            main = modules.new_main(script)
            file = os.path.relpath(script, self.root)
            self.source(file, script)
            exec(self.enter_module(file, script), main.__dict__)
        except SystemExit as end:
            self.end(*exit_status(end))
        except BaseException as error:
            if self.variant is None:
                self.fail(error)
            sys.stdout.flush()
            trace = modules.own_trace(error)
            sys.excepthook(type(error), error.with_traceback(trace), trace)
            self.end(1, cold.describe(error, trace, self.root))
        self.end(0, None)

    def load(self, name):
        try:
            __import__(name)
        except Exception:
            if self.variant is not None:
                raise
        # In the clean program the import will fail again where it stands.

    def fail(self, error):
        """The clean program itself failed: nothing more can be forked."""
        text = "".join(traceback.format_exception(error))
        self.say("failed " + text[-2000:])
        os._exit(0)

    def end(self, status, crash):
        if self.variant is None:
            self.say("end")
            os._exit(0)
        try:
            threading._shutdown()
            atexit._run_exitfuncs()
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
        self.finish(status, crash)


def exit_status(end):
    if end.code is None or isinstance(end.code, int):
        status = (end.code or 0) & 0xFF
    else:
        sys.stdout.flush()
        print(end.code, file=sys.stderr)
        status = 1
    if status == 0:
        return 0, None
    return status, {"exception": f"exit {status}", "message": str(end.code)[:2000]}


def outermost_code(code):
    """The code of every function that is not inside another one, in order."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_flags & 0x2:  # CO_NEWLOCALS: a function, not a class's body
                yield constant
            else:
                yield from outermost_code(constant)


def remember_lines(path, text):
    """Tracebacks show the lines that run."""
    import linecache

    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)


def read_scratch(folders):
    found, total = [], 0
    for folder in folders:
        for base, subfolders, names in os.walk(folder):
            found += [(os.path.join(base, name), None) for name in subfolders]
            for name in names:
                path = os.path.join(base, name)
                if os.path.islink(path):
                    continue
                with open(path, "rb") as stream:
                    content = stream.read()
                total += len(content)
                if total > MOST_SCRATCH:
                    raise OSError("the program has written too much to be forked")
                found.append((path, content))
    return found


def write_scratch(found):
    for path, content in found:
        if content is None:
            os.makedirs(path, exist_ok=True)
        else:
            with open(path, "wb") as stream:
                stream.write(content)


def main():
    jobs.libc.prctl(jobs.PR_SET_DUMPABLE, 0)
    server = socket.socket(fileno=int(sys.argv[1]))
    with os.fdopen(int(sys.argv[2])) as stream:
        stream.seek(0)
        order = json.load(stream)
    Template(server, order).run()


if __name__ == "__main__":
    main()
