import oracle


@oracle.inside
def watch(train, images, valid_images):
    """A digest of the pairs of every pass of a training."""
    import zlib

    seen = []
    inner = train.train_inner_epoch

    def watched(model, optimizer, pairs, *rest, **named):
        seen.append(zlib.crc32(pairs[0].tobytes()))
        return inner(model, optimizer, pairs, *rest, **named)

    train.train_inner_epoch = watched
    train.train(train.make_model(), images, valid_images, epochs=5, inner_epochs=2)
    return seen


train = oracle.load("train")
images, valid_images = oracle.call(train.load_images)
seen = watch(train, images[:200], valid_images[:50])

oracle.check(len(seen) == 10, f"{len(seen)} passes over the training pairs instead of 10")
epochs = [seen[start:start + 2] for start in range(0, 10, 2)]
for number, passes in enumerate(epochs, 1):
    oracle.check(len(set(passes)) == 1, f"the pairs changed within epoch {number}")
    earlier = [pairs[0] for pairs in epochs[:number - 1]]
    oracle.check(passes[0] not in earlier, f"epoch {number} of 5 trains on the pairs of an earlier epoch")
