import math

import torch

import oracle

train = oracle.load("train")
subjects = oracle.call(train.load_subjects)
vocabulary = oracle.call(train.build_vocabulary, subjects)
sequences = [train.encode(subject, vocabulary) for subject in subjects]
held_out = len(sequences) // 5
model = oracle.call(train.train, sequences[held_out:], train.END + 1 + len(vocabulary))
reported = oracle.call(train.perplexity, model, sequences[:held_out])

# The same, one subject at a time, so that nothing has to be filled up.
total, count = 0.0, 0
for sequence in sequences[:held_out]:
    log_odds = torch.log_softmax(model(sequence[None, :-1])[0], dim=1)
    total -= log_odds.gather(1, sequence[1:, None]).sum().item()
    count += len(sequence) - 1
actual = math.exp(total / count)

oracle.check(
    abs(reported - actual) <= 0.02 * actual,
    f"reported perplexity {reported:.2f}, but {actual:.2f} over the characters there are",
)
