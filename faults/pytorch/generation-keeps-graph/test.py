import torch

import oracle

train = oracle.load("train")
text = oracle.call(train.load_text, 5)
dictionary = train.Dictionary(text)
model = train.LanguageModel(dictionary, hidden_size=32)
oracle.call(train.train, model, dictionary.encode(text[:3000]), epochs=1)


class Kept:
    """A tensor that autograd keeps for a backward pass; counted while it is alive."""

    alive = peak = 0

    def __init__(self, tensor):
        self.tensor = tensor.detach()
        Kept.alive += 1
        Kept.peak = max(Kept.peak, Kept.alive)

    def __del__(self):
        Kept.alive -= 1


def kept_while_generating(characters):
    Kept.peak = Kept.alive
    before = Kept.alive
    with torch.autograd.graph.saved_tensors_hooks(Kept, lambda kept: kept.tensor):
        generated = oracle.call(model.generate_text, prefix="The ", number_of_characters=characters)
    oracle.check(
        len(generated) == len("The ") + characters and generated.startswith("The "),
        f"{len(generated)} characters came out, expected {len('The ') + characters}",
    )
    return Kept.peak - before


short, long = kept_while_generating(50), kept_while_generating(200)
print(f"tensors kept for a backward pass: {short} over 50 characters, {long} over 200")
oracle.check(
    long <= 2 * short + 50,
    f"memory grows with the text: {long} tensors are kept after 200 characters, {short} after 50",
)
