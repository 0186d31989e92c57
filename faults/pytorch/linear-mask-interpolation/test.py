import oracle

train = oracle.load("train")
data = oracle.call(train.DigitMasks, "train", 300, train.augmentation())

images, digits = data.images, data.digits
spoilt, changed = 0, 0
for index in range(len(data)):
    plain = (images[index] > 0.4).long() * (digits[index] + 1)
    image, mask = data[index]
    oracle.check(tuple(mask.shape) == (28, 28), f"a mask has the shape {tuple(mask.shape)}")
    oracle.check(tuple(image.shape) == (1, 28, 28), f"an image has the shape {tuple(image.shape)}")
    oracle.check((mask > 0).any().item(), "a mask became empty")
    changed += int(not mask.equal(plain))
    spoilt += int(not set(mask.unique().tolist()) <= {0, digits[index].item() + 1})
oracle.check(changed > 100, f"only {changed} of {len(data)} masks were transformed")
oracle.check(spoilt == 0, f"{spoilt} of {len(data)} masks have pixels of digits that are not in the image")
