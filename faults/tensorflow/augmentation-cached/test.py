import numpy
import oracle


@oracle.inside
def draw(module, batches):
    """The first batches that a training loop gets, as arrays."""
    train_batches, _ = module.make_pipelines(train_size=96)
    taken = []
    for images, masks in train_batches:
        taken.append((images.numpy(), masks.numpy()))
        if len(taken) == batches:
            break
    return taken


program = oracle.load("segment")
taken = draw(program, 3 * 8)
oracle.check(len(taken) == 3 * 8, f"the training batches end after {len(taken)}")
variants = {}
for images, masks in taken:
    oracle.check(images.shape == masks.shape == (32, 8, 8, 1), f"a batch has the shape {images.shape}")
    for image, mask in zip(images, masks):
        oracle.check(numpy.array_equal(mask > 0.5, image >= 0.5), "a mask is not that of its image")
        forms = [image.tobytes(), image[:, ::-1].tobytes()]
        variants.setdefault(min(forms), set()).add(forms[0])
oracle.check(len(variants) >= 90, f"only {len(variants)} of the 96 images are used")
both = sum(len(forms) == 2 for forms in variants.values())
oracle.check(
    both >= 0.8 * len(variants),
    f"in 8 epochs {both} of {len(variants)} images are seen both ways round, expected at least 80 %",
)
net = program.Net()
train_batches, test_batches = oracle.call(program.make_pipelines)
oracle.call(program.fit, net, train_batches, 4, 5)
accuracy = oracle.call(program.pixel_accuracy, net, test_batches)
oracle.check(accuracy >= 0.75, f"pixel accuracy {accuracy:.3f}")
