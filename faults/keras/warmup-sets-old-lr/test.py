import numpy as np

import oracle


@oracle.inside
def rates_used(forecast, x, y, epochs):
    """The loss of each epoch, and how far all weights together moved in each step."""
    import numpy
    from tensorflow import keras

    model = forecast.build()
    fit = model.fit
    moves = []

    class Watch(keras.callbacks.Callback):
        def weights(self):
            return numpy.concatenate([w.ravel() for w in self.model.get_weights()])

        def on_train_begin(self, logs=None):
            self.before = self.weights()

        def on_train_batch_end(self, batch, logs=None):
            after = self.weights()
            moves.append(float(numpy.linalg.norm(after - self.before)))
            self.before = after

    def watched(*arguments, callbacks=(), **named):
        return fit(*arguments, callbacks=[*callbacks, Watch()], **named)

    model.fit = watched
    losses = [float(loss) for loss in forecast.train(model, x, y, epochs=epochs)]
    errors = model.predict(x, verbose=0) - y
    return losses, moves, float(numpy.abs(errors).mean())


forecast = oracle.load("forecast")
x, y = oracle.call(forecast.windows, oracle.call(forecast.tide_levels))
losses, moves, error = rates_used(forecast, x, y, 12)
total = len(moves)
largest, last = max(moves), float(np.mean(moves[-5:]))
print(f"loss {losses[0]:.3f} to {losses[-1]:.4f}, error {error:.3f}; steps: first {moves[0]:.1e}, largest {largest:.1e}, last {last:.1e}")
oracle.check(len(losses) == 12 and total >= 12, f"{total} steps in {len(losses)} epochs")
oracle.check(losses[-1] <= 0.05, f"the schedule has no effect: the loss goes from {losses[0]:.3f} to {losses[-1]:.3f} only")
oracle.check(error <= 0.2, f"the forecast is off by {error:.3f} m, expected at most 0.2 m")
oracle.check(last <= 0.05 * largest, f"the steps do not become smaller: {last:.1e} at the end, {largest:.1e} at most")
