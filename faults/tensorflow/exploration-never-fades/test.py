import oracle


@oracle.inside
def share_of_best(agent):
    """How many of its choices are those with the highest value."""
    import tensorflow as tf

    agent.q.assign(tf.random.uniform(agent.q.shape))
    states = tf.random.uniform([2000], 0, agent.q.shape[0], tf.int32)
    best = tf.argmax(tf.gather(agent.q, states), axis=1, output_type=tf.int32)
    same = tf.cast(agent.choose(states) == best, tf.float32)
    return float(tf.reduce_mean(same))


@oracle.inside
def last_return(module, agent, world):
    scores = [module.play(world, agent) for _ in range(25)]
    return sum(scores[-5:]) / 5


program = oracle.load("agent")
agent = program.QAgent(25, 4)
at_first = share_of_best(agent)
oracle.check(0.15 <= at_first <= 0.35, f"at first {at_first:.2f} of the choices are greedy, expected about 0.25")
for _ in range(60):
    oracle.call(agent.end_episode)
at_last = share_of_best(agent)
oracle.check(
    0.95 <= at_last <= 0.999,
    f"after 60 episodes {at_last:.2f} of the choices are greedy, expected about 0.98",
)
score = last_return(program, program.QAgent(16, 4), program.Warehouse(4, 24))
print(f"mean return after training {score:.2f}")
oracle.check(score >= 0.4, f"the mean return after training is {score:.2f}, expected at least 0.4")
