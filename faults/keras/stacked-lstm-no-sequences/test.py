import numpy
import oracle


@oracle.inside
def recurrent_layers(model):
    return sum(hasattr(layer, "return_sequences") for layer in model.layers)


forecast = oracle.load("load_forecast")
series = oracle.call(forecast.make_load)
inputs, targets = oracle.call(forecast.make_windows, series[:500])
model = oracle.call(forecast.build_model, (24, 16))
oracle.call(forecast.train, model, inputs, targets)
oracle.check(recurrent_layers(model) >= 2, "the model has fewer than two recurrent layers")

inputs, targets = oracle.call(forecast.make_windows, series[500:])
output = numpy.array(model.predict(inputs, verbose=0))
oracle.check(
    output.shape == (len(inputs), 1),
    f"forecasts of the shape {output.shape}, expected one hour for each of {len(inputs)} windows",
)
error = float(numpy.mean((output - targets) ** 2))
naive = float(numpy.mean((inputs[:, -1] - targets) ** 2))
print(f"squared error {error:.4f}, of repeating the last hour {naive:.4f}")
oracle.check(error < naive, f"squared error {error:.4f}, repeating the last hour has {naive:.4f}")
