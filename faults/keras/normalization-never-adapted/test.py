import numpy as np
import oracle


@oracle.inside
def recognise(model, table):
    import numpy

    return numpy.asarray(model(table, training=False)).argmax(axis=1)


tables = oracle.load("tables")
program = oracle.load("rooms")
table, state = oracle.call(tables.read_table, 900)
oracle.check(abs(float(table["air"][:, 0].mean()) - 294.7) < 1, "the readings have other units")
model, history = oracle.call(program.train, table, state, 20)
new_table, new_state = oracle.call(tables.read_table, 400)
learned = np.mean(recognise(model, table) == state)
right = np.mean(recognise(model, new_table) == new_state)
print(f"accuracy {learned:.3f} on the readings learned from, {right:.3f} on new ones")
oracle.check(right >= 0.8, f"states of the room are hardly told apart: accuracy {right:.2f}")
