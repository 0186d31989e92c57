import oracle


@oracle.inside
def first_batches(module):
    return [next(iter(dataset))[0].numpy() for dataset in module.pipelines(train_size=64, test_size=64, batch=64)]


program = oracle.load("train")
training, testing = first_batches(program)
for name, images in (("training", training), ("test", testing)):
    oracle.check(images.shape == (64, 10, 10, 1), f"the {name} images have the shape {images.shape}")
    oracle.check(str(images.dtype) == "float32", f"the {name} images are {images.dtype}")
oracle.check(
    0.9 <= testing.max() <= 1.0 and 0.9 <= training.max() <= 1.0,
    f"the values of the training images reach {training.max():.1f}, those of the test images {testing.max():.1f}",
)
places = {tuple((image[..., 0].any(axis=1).argmax(), image[..., 0].any(axis=0).argmax())) for image in training}
oracle.check(len(places) >= 4, "the training images are not moved")
training, testing = oracle.call(program.pipelines)
network = program.Network()
oracle.call(program.train, network, training, 6)
share = oracle.call(program.accuracy, network, testing)
print(f"accuracy {share:.3f}")
oracle.check(share >= 0.4, f"accuracy {share:.3f}, expected at least 0.4")
