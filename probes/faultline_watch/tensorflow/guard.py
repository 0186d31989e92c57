"""Keeps errors of the probe away from the program."""

import functools


def guarded(method):
    """An error of the probe ends the recording, never the program. For methods of a recorder and of its parts."""

    @functools.wraps(method)
    def call(self, *args, **kwargs):
        recorder = getattr(self, "recorder", self)
        if not recorder.on or recorder.busy or recorder.is_foreign():
            return None
        recorder.busy = True
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            recorder.give_up(error)
            return None
        finally:
            recorder.busy = False

    return call
