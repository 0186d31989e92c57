"""Makes a forked copy of the program harmless: nothing that it does is seen outside."""

import builtins
import ctypes
import io
import os
import resource
import stat
import struct
import sys

REFUSED = frozenset("""os.remove os.rename os.rmdir os.mkdir os.link os.symlink os.truncate os.chmod os.chown os.utime
os.setxattr os.removexattr shutil.rmtree shutil.copyfile shutil.copymode shutil.copystat shutil.move shutil.make_archive
socket.connect socket.bind socket.sendto socket.sendmsg subprocess.Popen os.system os.exec os.fork os.forkpty
os.posix_spawn os.spawn os.kill os.killpg sqlite3.connect ftplib.connect smtplib.connect urllib.Request
webbrowser.open""".split())

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38


def detach(keep):
    """Leave the program's descriptors: files are read through ones of our own, so that the position
    of the program's does not move; all else leads nowhere. Dies with the program."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 9)
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/proc/self/fd"):
        number = int(name)
        if number in keep or number == nothing:
            continue
        try:
            _replace(number, nothing)
        except OSError:
            pass
    os.close(nothing)


def _replace(number, nothing):
    mode = os.fstat(number).st_mode
    if stat.S_ISDIR(mode) or (stat.S_ISCHR(mode) and number > 2 and not os.isatty(number)):
        return
    if not stat.S_ISREG(mode) or number in (1, 2):
        os.dup2(nothing, number, inheritable=False)
        return
    try:
        position = os.lseek(number, 0, os.SEEK_CUR)
        own = os.open(f"/proc/self/fd/{number}", os.O_RDONLY)
    except OSError:
        os.dup2(nothing, number, inheritable=False)
        return
    os.lseek(own, position, os.SEEK_SET)
    os.dup2(own, number, inheritable=False)
    os.close(own)


def refuse_writes(torch):
    """Files that the program writes go nowhere; what cannot be led nowhere is refused."""
    usual = builtins.open

    def quiet_open(file, mode="r", *args, **kwargs):
        if isinstance(mode, str) and set(mode) & set("wax+"):
            return usual(os.devnull, mode.replace("x", "w"), *args, **kwargs)
        return usual(file, mode, *args, **kwargs)

    builtins.open = io.open = quiet_open
    torch.save = lambda *args, **kwargs: None
    sys.addaudithook(_refuse)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    _lock_files()


def _refuse(event, arguments):
    if event in REFUSED:
        raise PermissionError(f"{event} is not for a copy of the program")
    if event == "open":
        path, _, flags = arguments
        writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        if isinstance(flags, int) and flags & writes and path != os.devnull:
            raise PermissionError("a copy of the program writes no files")


def _lock_files():
    """Landlock: the kernel refuses to write, make and remove files, whoever asks. Old kernels have none."""
    libc = ctypes.CDLL(None, use_errno=True)
    write = 1 << 1
    handled = write | sum(1 << bit for bit in range(4, 13))
    attributes = struct.pack("<Q", handled)
    rules = libc.syscall(444, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    libc.syscall(445, rules, 1, struct.pack("<Qi", write, nothing), 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.syscall(446, rules, 0)
    os.close(nothing)
    os.close(rules)
