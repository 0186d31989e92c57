import oracle

cases = oracle.load("cases")
parts = {train: oracle.call(cases.Tumours, train=train) for train in (True, False)}
count = {train: len(part) for train, part in parts.items()}
oracle.check(sum(count.values()) == 569, f"{sum(count.values())} cases instead of 569")
oracle.check(105 <= count[False] <= 120, f"{count[False]} cases for testing, expected a fifth")

rows, benign = set(), 0
for part in parts.values():
    for measurements, report in (part[index] for index in range(len(part))):
        rows.add(measurements.numpy().tobytes())
        benign += int(report.item() == 0)
oracle.check(len(rows) == 569, f"only {len(rows)} of the 569 cases are used")
oracle.check(benign == 357, f"{benign} benign cases instead of 357")

train = oracle.load("train")
model = train.nn.Sequential(train.nn.Linear(30, 16), train.nn.ReLU(), train.nn.Linear(16, 1))
oracle.call(train.train, model, train.DataLoader(parts[True], batch_size=32, shuffle=True))
accuracy = oracle.call(train.accuracy, model, train.DataLoader(parts[False], batch_size=64))
oracle.check(accuracy >= 0.85, f"accuracy {accuracy:.3f}, expected at least 0.85")
