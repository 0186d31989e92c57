import oracle


@oracle.inside
def passes(module, epochs):
    """What a loop over the epochs sees: the examples of both datasets, pass by pass."""
    training, validation = module.make_datasets()

    def one_pass(dataset):
        return [
            (tuple(round(float(value), 4) for value in features), int(label))
            for batch in dataset
            for features, label in zip(batch[0].numpy(), batch[1].numpy())
        ]

    seen = [(one_pass(training), one_pass(validation)) for _ in range(epochs)]
    numbers = {}
    return [
        [[(numbers.setdefault(x, len(numbers)), y) for x, y in part] for part in both] for both in seen
    ]


program = oracle.load("cultivars")
seen = passes(program, 5)
trained = {example for training, _ in seen for example, _ in training}
for training, validation in seen:
    oracle.check(len(training) + len(validation) == 178, "the two parts do not make up the 178 wines")
    oracle.check(40 <= len(validation) <= 70, f"{len(validation)} validation examples")
    oracle.check(
        len({label for _, label in validation}) == 3 and len({label for _, label in training}) == 3,
        "a part lacks a cultivar",
    )
    shared = {example for example, _ in validation} & trained
    oracle.check(
        not shared,
        f"{len(shared)} of {len(validation)} validation examples are trained on in some epoch",
    )
oracle.call(program.train, 1)
