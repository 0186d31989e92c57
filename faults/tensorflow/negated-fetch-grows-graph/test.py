import oracle


@oracle.inside
def operations(agent):
    """How many operations there are in the graphs of the process."""
    import gc

    import tensorflow as tf

    graphs = {id(thing): thing for thing in gc.get_objects() if type(thing) is tf.Graph}
    graphs[id(agent.sess.graph)] = agent.sess.graph
    return sum(len(graph.get_operations()) for graph in graphs.values())


valve = oracle.load("valve")
agent = oracle.call(valve.Agent)
before = oracle.call(valve.assess, agent)
oracle.call(valve.learn, agent, 20)
early = operations(agent)
oracle.call(valve.learn, agent, 80, 0)
late = operations(agent)
print(f"{early} operations after 20 steps, {late} after 100")
oracle.check(late <= early + 20, f"the graph grows while the agent learns: {early} operations after 20 steps, {late} after 100")

oracle.call(valve.learn, agent, 300, 0)
after = oracle.call(valve.assess, agent)
print(f"mean reward {before:.3f} before, {after:.3f} after")
oracle.check(after >= 0.9, f"the agent earns {after:.3f} after training, expected at least 0.9")
