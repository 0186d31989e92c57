import numpy
import oracle

train = oracle.load("train")
x_train, y_train, x_test, y_test = oracle.call(train.load_data)
model = train.Classifier(x_train.shape[1])
oracle.call(model.fit, x_train, y_train)
result = oracle.call(model.evaluate, x_test, y_test)

for name in ["accuracy", "cross_entropy", "auc", "recall@0.5"]:
    oracle.check(name in result, f"no value for {name}")
    shape = numpy.shape(result[name])
    oracle.check(shape == (), f"{name} is an array of shape {shape}, not a number")

predicted = model.predict(x_test).numpy() > 0.5
expected = (predicted == (y_test.numpy() > 0.5)).mean()
oracle.check(abs(float(result["accuracy"]) - expected) < 1e-4,
             f"accuracy {float(result['accuracy']):.4f}, but {expected:.4f} of the predictions are right")
oracle.check(expected > 0.85, f"accuracy {expected:.3f}, expected more than 0.85")
oracle.check(0 < float(result["cross_entropy"]) < 0.6, f"cross entropy {float(result['cross_entropy']):.3f}")
