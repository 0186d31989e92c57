import numpy as np
import oracle


@oracle.inside
def score(model, source, given):
    import numpy

    return numpy.asarray(model([source, given], training=False))


oracle.load("blocks")
program = oracle.load("translate")
model, losses = oracle.call(program.train, *oracle.call(program.draw_words, 1600), 14)
source, given, answer = oracle.call(program.draw_words, 120)
letters = answer > 0

whole = score(model, source, given)
right = np.mean((whole.argmax(axis=-1) == answer)[letters])
free = np.asarray(oracle.call(program.transcribe, model, source))
found = np.mean((free == answer[:, : free.shape[1]])[letters[:, : free.shape[1]]])

# What follows a letter of the target must not matter, nor how much padding follows the source.
prefix = given.copy()
prefix[:, 3:] = 0
later = float(np.abs(score(model, source, prefix)[:, :3] - whole[:, :3]).max())
print(f"letters right {right:.3f} with the answer at hand, {found:.3f} without")
print(f"scores change by {later:.5f} with later letters")
oracle.check(later <= 1e-3 and found >= 0.8, f"later letters of the target change scores by {later:.3f}; {found:.2f} right in free transcription")
padding = float(np.abs(score(model, source[:, :9], given) - whole)[letters].max())
oracle.check(padding <= 1e-3, f"padding of the source is attended to: {padding:.4f}")
oracle.check(losses[-1] <= 1.0, f"the loss ends at {losses[-1]:.3f}, expected at most 1")
