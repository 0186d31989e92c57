import oracle


@oracle.inside
def train(module, steps, every):
    """The curves of a run, and what they should say at its end, on the same points and noise."""
    import tensorflow as tf

    gan, wgan = module.GAN(), module.WassersteinGAN()
    kept = {}
    points, noise = module.real_points, tf.random.normal

    def real_points(count):
        made = points(count)
        if count == 777:
            kept["x"] = made
        return made

    def normal(shape, *arguments, **named):
        made = noise(shape, *arguments, **named)
        if list(shape)[:1] == [777]:
            kept["z"] = made
        return made

    module.real_points, tf.random.normal = real_points, normal
    try:
        curves = module.run(gan, wgan, steps, every, 777)
    finally:
        module.real_points, tf.random.normal = points, noise
    models = {"gan": gan, "wgan": wgan}
    expected = {}
    for d, judge in models.items():
        on_real = judge.judge(kept["x"])
        for g, maker in models.items():
            loss = judge.dis_loss(on_real, judge.judge(maker.generate(kept["z"])))
            expected[f"{d}_discriminator_{g}_generator"] = float(loss)
    return {name: dict(curves.values[name]) for name in curves.names()}, expected


program = oracle.load("cross_dis")
curves, expected = train(program, 12, 4)
for name, value in expected.items():
    oracle.check(name in curves, f"there is no curve {name}, only {', '.join(sorted(curves))}")
    oracle.check(sorted(curves[name]) == [4, 8, 12], f"the curve {name} has the steps {sorted(curves[name])}")
    oracle.check(
        abs(curves[name][12] - value) <= 1e-4 * max(1, abs(value)),
        f"the curve {name} ends at {curves[name][12]:.4f}, the loss is {value:.4f}",
    )
oracle.check(len(curves) == 4, f"there are {len(curves)} curves, expected 4")
