import oracle


@oracle.inside
def train_and_judge(program):
    """The losses of the training, the accuracy on the test set, and that of one image at a time."""
    import tensorflow.compat.v1 as tf

    train_images, train_labels, test_images, test_labels = program.load()
    with tf.Graph().as_default():
        network = program.Network()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            losses = network.train(sess, train_images, train_labels)
            together = network.accuracy(sess, test_images, test_labels)
            single = sum(network.accuracy(sess, test_images[i:i + 1], test_labels[i:i + 1]) for i in range(200)) / 200
    return [float(loss) for loss in losses], float(together), float(single)


losses, together, single = train_and_judge(oracle.load("digits_bn"))
last = sum(losses[-10:]) / 10
print(f"training loss {last:.3f}, accuracy {together:.3f}, one image at a time {single:.3f}")
oracle.check(last <= 0.4, f"the training loss ends at {last:.3f}, expected at most 0.4")
oracle.check(together >= 0.9, f"trained to a loss of {last:.3f}, and in use only {together:.3f} of the digits are right")
oracle.check(single >= 0.88, f"one image at a time, only {single:.3f} of the digits are right")
