"""How much memory the process has."""

import os

PAGE_KIB = os.sysconf("SC_PAGE_SIZE") >> 10


def resident_kib():
    descriptor = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return int(os.read(descriptor, 128).split()[1]) * PAGE_KIB
    finally:
        os.close(descriptor)
