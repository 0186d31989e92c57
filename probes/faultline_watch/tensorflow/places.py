"""Lines of the program, also while TensorFlow traces it: the code that runs then was generated from the program's."""

import os

import tensorflow as tf
from tensorflow.python.util import tf_stack

from ..sites import Sites


class Places(Sites):
    def __init__(self):
        super().__init__(os.path.dirname(os.path.abspath(tf.__file__)))

    def _kind(self, filename):
        if os.path.basename(filename).startswith("__autograph_generated_file"):
            return "library"
        return super()._kind(filename)

    def here(self, made=None, outside_models=False):
        if made is None and not tf.executing_eagerly():
            found = self.of_trace(tf_stack.extract_stack())
            if found is not None:
                return found
        return super().here(made, outside_models)

    def of_trace(self, frames):
        """The innermost line of the program in a stack that TensorFlow kept; None if there is none."""
        for frame in reversed(list(frames or ())):
            if self.kind(frame.filename) == "program":
                return self.site(frame.filename, frame.lineno)
        return None
