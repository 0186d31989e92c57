import oracle


@oracle.inside
def train(module, trainer, steps):
    """The history of some steps, and how many graphs and operations in them they leave behind."""
    import gc

    from tensorflow.python.framework.func_graph import FuncGraph

    history = trainer.run(module.make_batches(steps))
    gc.collect()
    graphs = [thing for thing in gc.get_objects() if isinstance(thing, FuncGraph)]
    return history, len(graphs), sum(len(graph.get_operations()) for graph in graphs)


program = oracle.load("trainer")
model = program.CharModel(len(set(program.TEXT)))
trainer = program.Trainer(model, warmup=10)

_, graphs, operations = train(program, trainer, 4)
history, more_graphs, more_operations = train(program, trainer, 12)
print(f"graphs kept: {graphs} after 4 steps, {more_graphs} after 12 more; operations {operations}, {more_operations}")
oracle.check(
    more_operations <= 1.5 * operations + 200,
    f"memory grows with the steps: {more_graphs} graphs are kept, {graphs} before 12 more steps",
)
rates = [rate for _, rate in history]
for step in (1, 5, 10, 12):
    expected = 0.5 * min((step / 10) ** -0.5, step / 10)
    oracle.check(
        abs(rates[step - 1] - expected) < 1e-3,
        f"the rate of step {step} is {rates[step - 1]:.4f}, expected {expected:.4f}",
    )
oracle.check(history[-1][0] < 4, f"the loss is {history[-1][0]:.2f} at last")
