import numpy
import oracle


@oracle.inside
def targets_of(agent, replay, count):
    """A sample of the memory, the targets made of it, and what the target networks say."""
    import tensorflow as tf

    sample = replay.sample(count)
    targets = agent.td_targets(sample["next_states"], sample["rewards"], sample["dones"])
    following = tf.constant(sample["next_states"])
    values = agent.critic_target(tf.concat([following, agent.actor_target(following)], axis=1))
    return sample["rewards"], sample["dones"], targets.numpy(), values.numpy()


@oracle.inside
def fill(replay, count):
    import numpy

    for row in range(count):
        state = numpy.random.randn(2)
        replay.add(states=state, actions=[0.1], next_states=state + 1, rewards=row / 10, dones=row % 3 == 0)


program = oracle.load("ddpg")
agent = program.DDPG(2, 1)
replay = program.Replay(100, program.transitions_of(2, 1))
fill(replay, 60)
rewards, dones, targets, values = targets_of(agent, replay, 64)
oracle.check(targets.shape == (64, 1), f"the targets have the shape {targets.shape}")
ended = numpy.asarray(dones).astype(bool).reshape(-1, 1)
oracle.check(5 < ended.sum() < 50, "the flags are not those that were stored")
expected = numpy.where(ended, rewards, rewards + 0.95 * values)
oracle.check(numpy.allclose(targets, expected, atol=1e-4), "the targets are not reward plus discounted value")

beam = program.Beam()
memory = program.Replay(500, program.transitions_of(2, 1))
oracle.call(program.collect, beam, agent, memory, 80)


@oracle.inside
def train(agent, memory, steps):
    return [float(agent.train(**memory.sample(32))) for _ in range(steps)]


losses = train(agent, memory, 40)
oracle.check(numpy.isfinite(losses).all(), "the loss of the critic is not finite")
