import oracle


@oracle.inside
def generate(model, characters):
    """The text that comes out, and the most tensors that autograd kept meanwhile."""
    import torch

    class Kept:
        alive = peak = 0

        def __init__(self, tensor):
            self.tensor = tensor.detach()
            Kept.alive += 1
            Kept.peak = max(Kept.peak, Kept.alive)

        def __del__(self):
            Kept.alive -= 1

    with torch.autograd.graph.saved_tensors_hooks(Kept, lambda kept: kept.tensor):
        text = model.generate_text(prefix="The ", number_of_characters=characters)
    return text, Kept.peak


train = oracle.load("train")
text = oracle.call(train.load_text, 5)
dictionary = train.Dictionary(text)
model = train.LanguageModel(dictionary, hidden_size=32)
oracle.call(train.train, model, dictionary.encode(text[:3000]), epochs=1)


def kept_while_generating(characters):
    generated, kept = generate(model, characters)
    oracle.check(
        len(generated) == len("The ") + characters and generated.startswith("The "),
        f"{len(generated)} characters came out, expected {len('The ') + characters}",
    )
    return kept


short, long = kept_while_generating(50), kept_while_generating(200)
print(f"tensors kept for a backward pass: {short} over 50 characters, {long} over 200")
oracle.check(
    long <= 2 * short + 50,
    f"memory grows with the text: {long} tensors are kept after 200 characters, {short} after 50",
)
