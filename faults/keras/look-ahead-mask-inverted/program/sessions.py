"""Click paths of a web shop: which page does a visitor open next?"""

import numpy as np

PAGES = [
    "home", "search", "category", "product", "reviews", "compare",
    "cart", "shipping", "payment", "receipt", "account", "help",
]
LENGTH = 16

# The page that most visitors open after each page.
USUAL_NEXT = {
    "home": "search", "search": "product", "category": "product", "product": "reviews",
    "reviews": "cart", "compare": "category", "cart": "shipping", "shipping": "payment",
    "payment": "receipt", "receipt": "account", "account": "home", "help": "compare",
}


def draw_sessions(count, rng, stray=0.15):
    """Paths that follow the usual way and now and then leave it."""
    following = np.array([PAGES.index(USUAL_NEXT[page]) for page in PAGES])
    paths = np.empty((count, LENGTH), dtype="int32")
    paths[:, 0] = rng.integers(len(PAGES), size=count)
    for step in range(1, LENGTH):
        usual = following[paths[:, step - 1]]
        elsewhere = rng.integers(len(PAGES), size=count)
        paths[:, step] = np.where(rng.random(count) < stray, elsewhere, usual)
    return paths
