import oracle

towers = oracle.load("towers")
training, testing = oracle.call(towers.load_images)
trained, tested = oracle.call(towers.train_and_test, training, testing)
oracle.check(trained >= 0.7, f"accuracy in training {trained:.3f}, expected at least 0.7")
oracle.check(tested >= 0.8, f"accuracy on the test images {tested:.3f}, expected at least 0.8: in training it was {trained:.3f}")

# the same again with labels that have nothing to do with the images: there is nothing to find out about the test images
images, labels = testing
_, chance = oracle.call(towers.train_and_test, training, (images, (labels + 1 + labels % 3) % 10), 40)
oracle.check(chance <= 0.5, f"labels that are all wrong are hit with {chance:.3f}")
