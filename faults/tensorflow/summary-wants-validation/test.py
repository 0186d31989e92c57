import oracle


@oracle.inside
def read_curves(folder):
    """What was logged: for each tag, the steps and the scalar values (None for others)."""
    import glob
    import os

    import tensorflow as tf

    curves = {}
    for path in sorted(glob.glob(os.path.join(folder, "**", "*tfevents*"), recursive=True)):
        for event in tf.compat.v1.train.summary_iterator(path):
            for value in event.summary.value:
                scalar = value.simple_value if value.HasField("simple_value") else None
                curves.setdefault(value.tag, []).append((event.step, scalar))
    return curves


program = oracle.load("fit_flowers")
steps, losses = oracle.call(program.run, 15)
curves = read_curves(program.LOG_DIR)
for tag, points in sorted(curves.items()):
    print(f"{tag}: {len(points)} points")

training = curves.get("train_loss", [])
validation = curves.get("validation_loss", [])
oracle.check(steps == 75 and len(losses) == 15, f"{steps} steps in {len(losses)} epochs, expected 75 in 15")
oracle.check(len(training) == steps, f"{len(training)} training losses were logged in {steps} steps")
first, last = [sum(value for _, value in part) / 5 for part in (training[:5], training[-5:])]
oracle.check(last < 0.5 * first, f"the logged training loss goes from {first:.3f} to {last:.3f}")
logged = [value for _, value in validation]
oracle.check(
    len(logged) == len(losses) and all(abs(a - b) < 1e-5 for a, b in zip(logged, losses)),
    f"{len(logged)} validation losses were logged, which are not those of the {len(losses)} epochs",
)
weights = [len(points) for tag, points in curves.items() if tag.endswith("weights")]
oracle.check(len(weights) == 2 and min(weights) >= 15, f"histograms of the weights: {weights}")
