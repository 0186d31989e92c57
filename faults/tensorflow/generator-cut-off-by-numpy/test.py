import numpy
import oracle


@oracle.inside
def values(model):
    return [value.numpy() for value in model.trainable_variables]


@oracle.inside
def set_critic(gan):
    """A critic that wants a larger mean and looks at nothing else."""
    import numpy

    sizes = [variable.shape for variable in gan.critic.trainable_variables]
    made = [numpy.zeros(size, "float32") for size in sizes]
    made[0][0] = 1.5
    made[2][:] = numpy.eye(len(made[2])) * 4
    made[3][:] = -2.0
    made[4][:] = 1.0
    made[5][:] = -4.0
    gan.critic.set_weights(made)


program = oracle.load("moments_gan")
gan = program.MomentsGAN()
oracle.call(program.train, gan, 4)
set_critic(gan)
before, critic = values(gan.generator), values(gan.critic)
losses = [oracle.call(gan.generator_step) for _ in range(60)]
after = values(gan.generator)
oracle.check(
    all(not numpy.array_equal(old, new) for old, new in zip(before, after)),
    "a part of the generator is not trained",
)
oracle.check(
    all(numpy.array_equal(old, new) for old, new in zip(critic, values(gan.critic))),
    "the generator's step changes the critic",
)
print(f"generator loss {losses[0]:.4f}, then {losses[-1]:.4f}")
oracle.check(
    losses[-1] < 0.9 * losses[0], f"the generator's loss goes from {losses[0]:.4f} to {losses[-1]:.4f} only"
)
first = values(gan.critic)
oracle.call(gan.critic_step)
oracle.check(
    any(not numpy.array_equal(old, new) for old, new in zip(first, values(gan.critic))), "the critic is not trained"
)
