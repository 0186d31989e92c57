import oracle

train = oracle.load("train")
scenes = train.scenes
images, masks = oracle.call(scenes.make_scenes, 60)
oracle.check(masks.shape == (60, 10, 16, 16), f"the masks have the shape {masks.shape}")
merged = oracle.call(scenes.merge_categories, masks)
oracle.check(merged.shape == masks.shape, f"merging changed the shape to {merged.shape}")
oracle.check((merged.sum(axis=1) == 1).all(), "a pixel has not exactly one category after merging")

before, after = masks.argmax(axis=1), merged.argmax(axis=1)
for group in ([1, 7], [3, 5, 8]):
    left = {int(channel) for digit in group for channel in set(after[before == digit])}
    oracle.check(len(left) == 1, f"digits {group} are in the categories {sorted(left)} after merging")
for digit in (0, 2, 4, 6, 9):
    left = set(after[before == digit].tolist())
    oracle.check(left == {digit}, f"digit {digit} is in the categories {sorted(left)} after merging")

images, masks = oracle.call(train.load_data, 40)
oracle.check(len(scenes.used_categories(masks.numpy())) == 7, "not seven categories are left")
