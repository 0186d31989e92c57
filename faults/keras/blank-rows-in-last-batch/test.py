import numpy as np
import oracle


@oracle.inside
def predict(model, seen):
    import numpy

    return numpy.asarray(model(seen, training=False))


frames = oracle.load("frames")
program = oracle.load("foresee")
model = oracle.call(program.train, [oracle.call(program.film) for _ in range(20)], 30, 32)

films = [oracle.call(program.film, 20) for _ in range(5)]  # 80 samples of 4 frames and 1
seen = np.concatenate([[film[i : i + 4] for i in range(16)] for film in films])
following = np.concatenate([film[4:] for film in films])
expected = predict(model, seen)
actual_error = float(np.mean((expected - following) ** 2))
plain = float(np.mean((following - following.mean(axis=0)) ** 2))

reported, predicted = oracle.call(program.assess, model, films, 48)
even, _ = oracle.call(program.assess, model, films, 16)
print(f"error {actual_error:.5f}, reported {even:.5f} with even and {reported:.5f} with uneven batches; {plain:.5f} without a model")
oracle.check(abs(even - actual_error) <= 0.02 * actual_error, f"the reported error of {even:.5f} is wrong")
oracle.check(
    len(predicted) == 80,
    f"{len(predicted)} frames are predicted for 80 samples, and the reported error is {reported:.5f} instead of {actual_error:.5f}",
)
oracle.check(
    abs(reported - actual_error) <= 0.02 * actual_error and np.abs(predicted - expected).max() <= 1e-3,
    f"the reported error is {reported:.5f} instead of {actual_error:.5f}",
)

batches = frames.FrameSequences(films, batch_size=48, shuffle=True)
count, blank = 0, 0
for index in range(len(batches)):
    some, next_ones = batches[index]
    count += len(some)
    blank += int(np.sum(np.asarray(some).max(axis=(1, 2, 3)) == 0))
oracle.check(count == 80 and blank == 0, f"training gets {count} samples, {blank} of them blank, instead of 80")
oracle.check(actual_error <= 0.9 * plain, f"the model predicts badly: {actual_error:.5f}")
