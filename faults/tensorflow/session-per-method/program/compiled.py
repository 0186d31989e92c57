"""Methods of a model that are run in a TensorFlow session and look like ordinary methods."""

import functools

import tensorflow.compat.v1 as tf1


def compiled(*shapes):
    """The arguments of the method are arrays of these shapes; its graph is built at the first call.

    The parameters of the model come as one vector, as optimisers want them.
    """

    def decorate(method):
        @functools.wraps(method)
        def run(model, *arrays):
            store = model.compiled_methods.get(method.__name__)
            if store is None:
                with model.graph.as_default():
                    free = tf1.placeholder(tf1.float64, [None])
                    arguments = [tf1.placeholder(tf1.float64, shape) for shape in shapes]
                    with model.unpacked(free):
                        result = method(model, *arguments)
                    session = tf1.Session(graph=model.graph)
                store = free, arguments, result, session
                model.compiled_methods[method.__name__] = store
            free, arguments, result, session = store
            feeds = dict(zip(arguments, arrays))
            feeds[free] = model.free_state
            return session.run(result, feeds)

        return run

    return decorate
