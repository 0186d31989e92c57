import torch

import oracle

train = oracle.load("train")


def scores_for(positions, length=20):
    return 9 * torch.nn.functional.one_hot(torch.tensor(positions), length).float()


# Ten texts: the start is right in eight, the end in eight, both in six.
starts, ends = torch.randint(0, 8, (10,)), torch.randint(10, 19, (10,))
predicted_starts, predicted_ends = starts.tolist(), ends.tolist()
for text in (0, 1):
    predicted_starts[text] += 1
for text in (2, 3):
    predicted_ends[text] += 1
pred_s, pred_e = oracle.call(train.decode, scores_for(predicted_starts), scores_for(predicted_ends))
start, end, exact = oracle.call(train.span_accuracies, pred_s, starts, pred_e, ends)
print(f"start {start:.0f} %, end {end:.0f} %, exact match {exact:.0f} %")
oracle.check(round(start) == 80 and round(end) == 80, f"start {start} %, end {end} %, expected 80 % each")
oracle.check(round(exact) == 60, f"exact match {exact:.0f} %, expected 60 %")

texts, starts, ends = oracle.call(train.load_examples, 160)
model = train.SpanReader()
oracle.call(train.train, model, texts, starts, ends)
start, end, exact = oracle.call(train.validate, model, texts, starts, ends)
oracle.check(exact >= 75, f"exact match {exact:.1f} % on the training texts, expected at least 75 %")
oracle.check(exact <= min(start, end), f"exact match {exact:.1f} % exceeds start {start:.1f} % or end {end:.1f} %")
