import oracle

train = oracle.load("train")
(scans, labels), _ = oracle.call(train.load_scans)
scans, labels = scans[:150], labels[:150]
larger, larger_labels = oracle.call(train.augment, scans, labels, copies=2)
oracle.check(len(larger) == len(larger_labels) == 300, f"{len(larger)} scans instead of 300")
oracle.check((larger_labels == list(labels) * 2).all(), "the labels do not fit the scans")

# Moving a scan makes no new grey: every value comes from the scan itself.
before = train.images.to_tensor(scans).double().flatten(1)
after = train.images.to_tensor(larger).double().flatten(1)
spoilt = 0
for index in range(len(after)):
    source = before[index % len(before)]
    distance = (after[index][:, None] - source[None, :]).abs().amin(dim=1)
    spoilt += int((distance > 1e-5).any())
oracle.check(spoilt == 0, f"{spoilt} of {len(after)} scans have greys that their original does not have")
oracle.check(len(after.unique()) > 10, f"only {len(after.unique())} greys are left")
