import oracle


@oracle.inside
def watch(wines, training, testing, epochs):
    """What the program reports after each epoch, and the share of hits that its model then has."""
    import tensorflow.compat.v1 as tf

    net = wines.build()
    found = []
    evaluate = wines.evaluate

    def evaluate_and_look(sess, *arguments, **named):
        reported = evaluate(sess, *arguments, **named)
        x, y = testing
        predicted = sess.run(net["predicted"], {net["x"]: x})
        found.append((float(reported), float((predicted == y).mean())))
        return reported

    wines.evaluate = evaluate_and_look
    with tf.Session() as sess:
        curve = wines.train(sess, net, training, testing, epochs)
    return found, [float(value) for value in curve]


wines = oracle.load("wines")
training, testing = oracle.call(wines.load_data)
found, curve = watch(wines, training, testing, 25)
oracle.check(len(found) == 25 and curve == [reported for reported, _ in found], f"{len(curve)} accuracies, expected 25")
oracle.check(found[-1][1] >= 0.7, f"the trained model hits {found[-1][1]:.3f}, expected at least 0.7")
gap = max(abs(reported - actual) for reported, actual in found)
print(f"last epoch: reported {found[-1][0]:.3f}, actual {found[-1][1]:.3f}; largest gap {gap:.3f}")
oracle.check(gap <= 0.01, f"the reported accuracy is off by {gap:.3f}: {found[-1][0]:.3f} in the last epoch, where the model has {found[-1][1]:.3f}")
