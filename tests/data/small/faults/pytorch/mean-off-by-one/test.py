import oracle

mean = oracle.load("mean").mean([1.0, 2.0, 3.0])
oracle.check(mean == 2.0, f"mean {mean}, expected 2.0")
