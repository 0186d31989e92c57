"""Digests of what a test reads, by content."""

import hashlib
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@cache
def _digest_of_file(path):
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, IsADirectoryError):
        return "none"


def _files_below(folder):
    """What git knows, or would add, of a folder of the project; of others, every file."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", str(folder)],
        cwd=ROOT, capture_output=True, text=True,
    )
    if listed.returncode == 0:
        return sorted(ROOT / name for name in listed.stdout.split("\0") if name)
    return sorted(path for path in folder.rglob("*") if path.is_file())


@cache
def _digest_of_path(path):
    if path.is_dir():
        lines = [f"{name} {_digest_of_file(name)}\n" for name in _files_below(path)]
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    return _digest_of_file(path)


def digest_of(paths, *words):
    """One digest for files, folders and words; paths are relative to the project."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(f"{path} {_digest_of_path(ROOT / path)}\n".encode())
    for word in words:
        whole.update(f"{word}\n".encode())
    return whole.hexdigest()


@cache
def machine():
    """The packages that tests run against: Debian's and npm's."""
    packages = subprocess.run(["dpkg-query", "-W"], capture_output=True, text=True).stdout
    return hashlib.sha256((packages + _digest_of_file(ROOT / "package-lock.json")).encode()).hexdigest()


def forget():
    """After a build: files may have changed."""
    _digest_of_file.cache_clear()
    _digest_of_path.cache_clear()
