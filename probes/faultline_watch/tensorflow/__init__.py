"""The part of the probe that knows TensorFlow and Keras, versions 2 and 3.

What is computed eagerly is looked at as it is computed. A compiled function is never changed: while TensorFlow traces
it, the tensors of layers, losses and gradients are noted (graphs.py), and at a check a second function computes them
from the same batch and the same weights, next to the step. Sessions are asked for them (sessions.py).
"""
