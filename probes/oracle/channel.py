"""One end of the socket between the judge and the subject: whole messages, in turn."""

import select
import time

from . import codec


class Closed(Exception):
    """The other end is gone."""


class Late(Exception):
    """Nothing came in time."""


class Channel:
    def __init__(self, socket, other=None):
        """`other` is a pidfd of the process at the other end: once it has ended, whoever still
        holds its end of the socket is not listened to."""
        self.socket = socket
        self.other = other

    def send(self, parts):
        try:
            for part in parts:
                self.socket.sendall(part)
        except OSError:
            raise Closed from None

    def receive(self, refer, timeout=None):
        deadline = None if timeout is None else time.monotonic() + timeout
        text, size = codec.lengths(self._read(codec.HEAD.size, deadline))
        return codec.unpack(self._read(text, deadline), self._read(size, deadline), refer)

    def _read(self, size, deadline):
        # Grows with what comes, not with what is announced.
        data = bytearray()
        while len(data) < size:
            self._wait(deadline)
            try:
                chunk = self.socket.recv(min(size - len(data), 1 << 20))
            except OSError:
                raise Closed from None
            if not chunk:
                raise Closed
            data += chunk
        return data

    def _wait(self, deadline):
        watched = [self.socket] if self.other is None else [self.socket, self.other]
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select(watched, [], [], left)
        if not ready:
            raise Late
        if self.socket not in ready:
            raise Closed
