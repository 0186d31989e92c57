import oracle

train = oracle.load("train")
x_train, y_train, x_test, y_test = oracle.call(train.load_data)
model = train.make_model()
oracle.call(train.train, model, x_train, y_train, epochs=6)
full = oracle.call(train.accuracy, model, x_test, y_test)
oracle.check(full >= 0.85, f"accuracy {full:.3f} with 32 bits, expected at least 0.85")

small = oracle.call(train.quantize_model, model, x_train)
weights = [layer.weight for layer in small if hasattr(layer, "weight")]
oracle.check(len(weights) == 3, f"{len(weights)} quantised layers instead of 3")
for weight in weights:
    oracle.check(weight.equal(weight.round()), "quantised weights are not whole numbers")
    oracle.check(weight.abs().max().item() <= 128, "quantised weights need more than 8 bits")
quantized = oracle.call(train.accuracy, small, x_test, y_test)
oracle.check(quantized >= full - 0.05, f"accuracy {quantized:.3f} with 8 bits, {full:.3f} with 32")
