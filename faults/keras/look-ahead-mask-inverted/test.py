import numpy as np
import oracle


@oracle.inside
def score(model, pages):
    import numpy

    return numpy.asarray(model(pages, training=False))


program = oracle.load("next_page")
rng = np.random.default_rng(oracle.seed + 500)
names = ["home", "search", "category", "product", "reviews", "compare",
         "cart", "shipping", "payment", "receipt", "account", "help"]
usual = {"home": "search", "search": "product", "category": "product", "product": "reviews",
         "reviews": "cart", "compare": "category", "cart": "shipping", "shipping": "payment",
         "payment": "receipt", "receipt": "account", "account": "home", "help": "compare"}
following = np.array([names.index(usual[name]) for name in names])
oracle.check(list(program.PAGES) == names, "the pages are no longer the same")


def draw(count, length=16, stray=0.15):
    paths = np.empty((count, length), dtype="int32")
    paths[:, 0] = rng.integers(len(names), size=count)
    for step in range(1, length):
        away = rng.random(count) < stray
        paths[:, step] = np.where(away, rng.integers(len(names), size=count), following[paths[:, step - 1]])
    return paths


model, history = oracle.call(program.train, draw(1200))
print(f"trained: loss {history['loss'][-1]:.3f}, accuracy {history['accuracy'][-1]:.3f}")

seen = draw(40)[:, :-1]
other = seen.copy()
other[:, 8:] = rng.integers(len(names), size=other[:, 8:].shape)
leak = float(np.abs(score(model, seen)[:, :8] - score(model, other)[:, :8]).max())
steps = [oracle.call(program.continue_path, model, [int(page) for page in path[:4]], 5) for path in draw(12)]
right = np.mean([path[i + 1] == following[path[i]] for path in steps for i in range(3, 8)])
print(f"a change of later pages moves earlier scores by {leak:.4f}; usual next page {right:.2f}")
oracle.check(all(len(path) == 9 for path in steps), "paths are not continued by five pages")
oracle.check(
    leak <= 1e-3 and right >= 0.8,
    f"scores depend on later pages ({leak:.4f}), or continued paths leave the usual way ({right:.2f} follow it)",
)
