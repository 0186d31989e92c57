import numpy
import oracle


@oracle.inside
def loss_of(network, states, actions, targets):
    values = network.output(states).numpy()
    return values, float(network.loss(states, actions, targets))


program = oracle.load("dqn")
network = program.DQNetwork(8, 3)
for count in (1, 4, 32):
    states = numpy.eye(8, dtype="float32")[numpy.random.randint(0, 8, count)]
    taken = numpy.random.randint(0, 3, count)
    targets = numpy.random.randn(count).astype("float32") + 1
    values, loss = loss_of(network, states, numpy.eye(3, dtype="float32")[taken], targets)
    expected = float(numpy.mean((targets - values[numpy.arange(count), taken]) ** 2))
    oracle.check(
        abs(loss - expected) <= 1e-3 * max(1, expected),
        f"the loss of {count} experiences is {loss:.3f}, expected {expected:.3f}",
    )
oracle.call(program.train, network, 15)
share = oracle.call(program.solved, network)
print("solved", share)
oracle.check(share >= 0.5, f"solved from {share} of the starting cells, expected at least half")
