import numpy as np
import oracle
from sklearn.metrics import f1_score


@oracle.inside
def flagged(model, x):
    import numpy

    return numpy.asarray(model(x, training=False)).reshape(-1) > 0.5


detect = oracle.load("detect")
x, y = oracle.call(detect.readings, 2600, 40 + oracle.seed)
x, x_val, y, y_val = x[:1600], x[1600:], y[:1600], y[1600:]
model, history = oracle.call(detect.train, x, y, x_val, y_val, 8, 32)
oracle.check("val_f1" in history and len(history["val_f1"]) == 8, "val_f1 is not reported for each epoch")
reported = float(np.squeeze(history["val_f1"][-1]))
actual = f1_score(y_val.reshape(-1), flagged(model, x_val))
print(f"F1 as reported {reported:.4f}, of all predictions {actual:.4f}")
oracle.check(actual >= 0.5, f"F1 of the trained model is {actual:.3f}, expected at least 0.5")
oracle.check(abs(reported - actual) <= 0.01, f"the reported F1 of {reported:.3f} is not that of the predictions, {actual:.3f}")
