"""Keeps a framework imported inside a sandbox; every job is a fork of it.

    fork_server.py SOCKET_FD MODULE...

The other end of the socket is Faultline. A request is one byte with three or four descriptors: the
order (see src/run/order.hpp), the log, the status line's pipe and, if the job returns a result, the
file for it. The answer is a pidfd of the job's first process. How the job ends is written to the status
pipe, in the same words as faultline-init uses, and both pipes close when nothing of the job lives any more.

Each job gets what a fresh sandbox would give it: its own user, mount, pid and ipc namespaces, empty
bounded /fault, /tmp and /dev/shm, its limits, no capabilities. Three processes stand between: the
shepherd makes the namespaces, the first process of the pid namespace reaps, the third one runs the
program, so that signals and exit statuses are those of an ordinary process.
"""

import atexit
import ctypes
import gc
import importlib
import os
import random
import resource
import signal
import socket
import sys
import threading
import traceback
import types

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
MS_NOSUID, MS_NODEV = 2, 4
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
RESULT_FD = 9  # as faultline-init numbers it
NICENESS = 5  # whoever watches the limits must get the processor when it needs it

libc = ctypes.CDLL(None, use_errno=True)


def must(result, what):
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def read_order(fd):
    """Split the order's netstrings into records."""
    os.lseek(fd, 0, os.SEEK_SET)
    with os.fdopen(fd, "rb") as stream:
        data = stream.read()
    fields, at = [], 0
    while at < len(data):
        colon = data.index(b":", at)
        size = int(data[at:colon])
        fields.append(data[colon + 1 : colon + 1 + size])
        at = colon + 1 + size
    sizes = {b"file": 3, b"link": 2, b"limit": 2}
    at = 0
    while at < len(fields):
        count = sizes.get(fields[at], 1)
        yield fields[at].decode(), fields[at + 1 : at + 1 + count]
        at += 1 + count


class Order:
    def __init__(self, fd):
        self.arguments, self.variables, self.files, self.links, self.limits = [], {}, [], [], {}
        for kind, fields in read_order(fd):
            if kind == "file":
                self.files.append((fields[0].decode(), int(fields[1], 8), fields[2]))
            elif kind == "link":
                self.links.append((fields[0].decode(), fields[1].decode()))
            elif kind == "limit":
                self.limits[fields[0].decode()] = int(fields[1])
            elif kind == "arg":
                self.arguments.append(fields[0].decode())
            elif kind == "var":
                name, _, value = fields[0].decode().partition("=")
                self.variables[name] = value
            elif kind == "dir":
                self.directory = fields[0].decode()
            elif kind == "root":
                self.root = fields[0].decode()


def enter_namespaces():
    uid, gid = os.getuid(), os.getgid()
    must(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC), "unshare")
    for path, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{path}", "w") as stream:
            stream.write(text)


def mount_scratch(path, size):
    options = f"size={size},mode=0755".encode()
    must(libc.mount(b"tmpfs", path.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, options), f"mount {path}")


def lay_out(order):
    for path in (order.root, "/tmp", "/dev/shm"):
        mount_scratch(path, order.limits["tmpfs"])
    # A proc of the new pid namespace where the kernel grants one; otherwise the outer one stays,
    # in which /proc/self is right all the same.
    libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV, None)
    for path, mode, content in order.files:
        full = os.path.join(order.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            stream.write(content)
    for path, target in order.links:
        full = os.path.join(order.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        os.symlink(target, full)


def drop_capabilities():
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    must(libc.capset(header, nothing), "capset")


def set_limits(limits):
    for name, what in (
        ("data", resource.RLIMIT_DATA),
        ("cpu", resource.RLIMIT_CPU),
        ("fsize", resource.RLIMIT_FSIZE),
        ("nproc", resource.RLIMIT_NPROC),
    ):
        # At the soft limit of CPU time comes SIGXCPU, which tells; a second later SIGKILL.
        grace = 1 if name == "cpu" else 0
        resource.setrlimit(what, (limits[name], limits[name] + grace))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def become_program(order, log_fd, result_fd):
    """Make this process what `python3 script …` would be, all but the start of the interpreter."""
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(log_fd, 1)
    os.dup2(log_fd, 2)
    os.environ.clear()
    if result_fd is None:
        os.closerange(3, 65536)
    else:
        os.dup2(result_fd, RESULT_FD)
        os.closerange(3, RESULT_FD)
        os.closerange(RESULT_FD + 1, 65536)
        os.environ["FAULTLINE_RESULT_FD"] = str(RESULT_FD)
    os.chdir(os.path.join(order.root, order.directory))
    os.environ.update(order.variables)
    drop_capabilities()
    libc.prctl(PR_SET_DUMPABLE, 1)
    set_limits(order.limits)
    os.nice(NICENESS)
    # Generators that the server created: every job starts them anew, as a fresh import would.
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].seed()


def run_script(arguments):
    """Run a script as the interpreter would; return the exit status."""
    sys.argv = list(arguments)
    script = os.path.join(os.getcwd(), arguments[0])
    sys.path[0] = os.path.dirname(os.path.realpath(script))
    main = types.ModuleType("__main__")
    main.__file__ = script
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    try:
        with open(script, "rb") as stream:
            source = stream.read()
    except OSError as error:
        print(f"{sys.executable}: can't open file {script!r}: "
              f"[Errno {error.errno}] {error.strerror}", file=sys.stderr)
        return 2
    try:
        code = compile(source, script, "exec")
        exec(code, main.__dict__)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        sys.stdout.flush()
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        kind, error, trace = sys.exc_info()
        sys.stdout.flush()
        sys.excepthook(kind, error.with_traceback(trace.tb_next), trace.tb_next)
        return 1
    return 0


def end_program(status):
    """What the interpreter does at its end, but for taking the framework's modules apart."""
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.modules["__main__"].__dict__.clear()
        gc.collect()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
    os._exit(status)


def first_process(order, log_fd, status_fd, result_fd=None):
    """Pid 1 of the job's namespace. Returns only in the process that is to run the program."""
    try:
        lay_out(order)
        program = os.fork()
    except OSError as error:
        os.write(status_fd, f"!{error}".encode())
        os._exit(125)
    if program == 0:
        os.close(status_fd)
        become_program(order, log_fd, result_fd)
        return
    for fd in (log_fd, result_fd):
        if fd is not None:
            os.close(fd)
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == program:
            micros = int((usage.ru_utime + usage.ru_stime) * 1e6)
            os.write(status_fd, f"{status} {micros} {usage.ru_maxrss}".encode())
            os._exit(0)


def shepherd(server, fds):
    """The child of the server that makes the namespaces. Returns only in the program's process."""
    order_fd, status_fd = fds[0], fds[2]
    try:
        order = Order(order_fd)
        libc.prctl(PR_SET_DUMPABLE, 1)  # an ordinary user may not write its own uid_map otherwise
        enter_namespaces()
        # What stands between the job and the server holds descriptors that are not the job's.
        libc.prctl(PR_SET_DUMPABLE, 0)
        wait_fd, go_fd = os.pipe()
        first = os.fork()
    except Exception as error:  # the machine's failure, whatever it is: say it and end
        os.write(status_fd, f"!fork server: {error}".encode())
        os._exit(125)
    if first == 0:
        server.close()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # Nothing runs before Faultline can stop it.
        os.close(go_fd)
        if not os.read(wait_fd, 1):
            os._exit(125)
        os.close(wait_fd)
        first_process(order, *fds[1:])
        return order
    for fd in fds[1:]:
        os.close(fd)
    socket.send_fds(server, [b"p"], [os.pidfd_open(first)])
    os.write(go_fd, b"g")
    os.waitpid(first, 0)
    os._exit(0)


def serve(server):
    """Answer requests. Returns, with its order, only in a process that is to run a program."""
    server.send(b"ready")
    while True:
        request, fds, _, _ = socket.recv_fds(server, 1, 4)
        if not request:
            os._exit(0)
        child = os.fork()
        if child == 0:
            return shepherd(server, fds)
        for fd in fds:
            os.close(fd)
        os.waitpid(child, 0)


def main():
    # A job must not read or stop its server: they are not in one pid namespace, and the server's
    # memory is not open to others.
    libc.prctl(PR_SET_DUMPABLE, 0)
    server = socket.socket(fileno=int(sys.argv[1]))
    for module in sys.argv[2:]:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    sys.stdout.flush()
    sys.stderr.flush()
    order = serve(server)
    end_program(run_script(order.arguments[1:]))


if __name__ == "__main__":
    main()
