import numpy as np
import oracle


@oracle.inside
def estimate(model, readings):
    import numpy

    return numpy.asarray(model(readings, training=False))


@oracle.inside
def loss_of(pose, true, predicted):
    import numpy

    return numpy.asarray(pose.euclidean_distance(true, predicted))


record = oracle.load("record")
pose = oracle.load("pose")
model, losses = oracle.call(record.fit, 640, 8, 32)
readings, angles, weight = oracle.call(record.windows, 300)
oracle.check(len(losses) == 8, f"{len(losses)} losses for eight epochs")
trusted = weight > 0.5
distance = np.linalg.norm(estimate(model, readings) - angles, axis=1)[trusted].mean()
plain = np.linalg.norm(angles, axis=1)[trusted].mean()
print(f"distance {distance:.3f}, of the zero pose {plain:.3f}")
oracle.check(distance <= 0.6 * plain, f"angles are {distance:.2f} off, {plain:.2f} without any model")

value = loss_of(pose, angles[:40], np.zeros_like(angles[:40]))
expected = np.linalg.norm(angles[:40], axis=1)
oracle.check(value.shape == (40,), f"the loss of 40 windows has the shape {value.shape}")
oracle.check(np.abs(value - expected).max() <= 1e-3, "the loss is not the distance of each window")
