import numpy as np
import oracle


@oracle.inside
def weights(network):
    return [weight.copy() for weight in network.get_weights()]


@oracle.inside
def recognise(model, images):
    import numpy

    return numpy.asarray(model(images, training=False)).argmax(axis=1)


def distance(before, after):
    return max(float(np.abs(a - b).max()) for a, b in zip(before, after))


oracle.load("backbone")
transfer = oracle.load("transfer")
(old_images, old_labels), (images, labels) = oracle.call(transfer.load_tasks)
split = 650
backbone = oracle.call(transfer.pretrained_backbone, old_images, old_labels, 5)
model = oracle.call(transfer.put_head_on, backbone)

start = weights(backbone)
oracle.call(transfer.train_head, model, backbone, images[:split], labels[:split])
frozen = weights(backbone)
with_head = np.mean(recognise(model, images[split:]) == labels[split:])
oracle.call(transfer.fine_tune, model, backbone, images[:split], labels[:split])
moved = distance(frozen, weights(backbone))
tuned = np.mean(recognise(model, images[split:]) == labels[split:])

print(f"accuracy {with_head:.3f} with a new head, {tuned:.3f} after fine-tuning; backbone moved by {moved:.4f}")
oracle.check(distance(start, frozen) == 0, "the backbone is trained together with the new head")
oracle.check(moved > 0.01, f"fine-tuning moves no weight of the backbone: {moved:.4f}")
oracle.check(tuned >= 0.88, f"accuracy after fine-tuning {tuned:.3f}, expected at least 0.88")
