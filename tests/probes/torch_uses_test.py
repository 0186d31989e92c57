"""What the PyTorch probe sees of how a program uses PyTorch: losses, layers, modes, optimizers, data."""

import textwrap
import unittest

from watching import Watching


class Uses(Watching):
    LOOP = """
        import torch
        from torch import nn
        import torch.nn.functional as F

        torch.manual_seed(0)

        def train(model, batches, loss_of, steps=4):
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
            for step in range(steps):
                optimizer.zero_grad()
                loss_of(model, *batches(step)).backward()
                optimizer.step()
    """

    def watch(self, program):
        run = self.python(textwrap.dedent(self.LOOP) + textwrap.dedent(program))
        self.assertEqual(0, run.status, run.errors)
        self.assertEqual([], run.all("problem"))
        return run

    def test_two_calls_of_a_function_on_one_line_are_two_layers(self):
        run = self.watch("""
            first, second = torch.nn.Linear(3, 4), torch.nn.Linear(4, 4)
            both = torch.nn.ModuleList([first, second])
            loss = lambda model, x: torch.relu(second(torch.relu(first(x)))).sum()
            train(both, lambda step: (torch.randn(8, 3),), loss)
        """)
        layers = {layer["id"]: layer for layer in run.all("layer") if layer["called"]}.values()
        kinds = [layer["kind"] for layer in sorted(layers, key=lambda layer: layer["order"])]
        self.assertEqual(["Linear", "relu", "Linear", "relu"], kinds)

    def test_layers_in_a_list_are_not_registered(self):
        run = self.watch("""
            class Model(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.hidden = [nn.Linear(3, 3)]
                    self.last = nn.Linear(3, 1)

                def forward(self, x):
                    return self.last(self.hidden[0](x))

            train(Model(), lambda step: (torch.randn(8, 3),), lambda model, x: model(x).sum())
        """)
        layers = {layer["name"]: layer for layer in run.all("layer")}
        self.assertEqual({"Linear": False, "last": None},
                         {name: layer["settings"].get("registered") for name, layer in layers.items()})
        self.assertEqual([False, True], [all(layers[name]["optimised"]) for name in ("Linear", "last")])
        self.assertIs(False, layers["Linear"]["settings"]["loaded"])

    def test_weights_that_were_loaded_may_be_finished(self):
        run = self.watch("""
            model = nn.Linear(3, 1)
            model.load_state_dict(model.state_dict())
            train(model, lambda step: (torch.randn(8, 3),), lambda model, x: model(x).sum())
        """)
        self.assertNotIn("loaded", run.all("layer")[0]["settings"])

    def test_an_optimizer_that_never_steps(self):
        program = """
            first, second = nn.Linear(3, 4), nn.Linear(4, 1)
            idle = torch.optim.SGD(first.parameters(), lr=0.01)
            train(second, lambda step: (torch.randn(8, 3),), lambda model, x: model(first(x)).sum(), steps=25)
            {}
        """
        found = self.watch(program.format("")).one("observation", name="optimizer-never-steps")
        self.assertEqual("idle = torch.optim.SGD(first.parameters(), lr=0.01)", found["site"]["text"])
        self.assertEqual({"parameters": 2, "steps": 25, "kind": "SGD"}, found["values"])
        self.assertEqual([], self.watch(program.format("del idle")).all("observation"))

    def test_answers_that_are_judged_in_training_mode(self):
        program = """
            model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 2))
            for epoch in range(3):
                train(model, lambda step: (torch.randn(8, 3),), lambda model, x: model(x).sum())
                with torch.no_grad():
                    {}answers = model(torch.randn(5, 3)).argmax(1)
                    hits = (answers == torch.zeros(5)).sum()
                model.train()
        """
        found = self.watch(program.format("")).one("observation", name="evaluated-in-training")
        self.assertEqual("answers = model(torch.randn(5, 3)).argmax(1)", found["site"]["text"])
        self.assertEqual({"passes": 3}, found["values"])
        proper = self.watch(program.format("model.eval(); "))
        self.assertEqual([], [seen for seen in proper.all("observation") if seen["name"] == "evaluated-in-training"])

    def test_a_difference_of_each_with_each(self):
        program = """
            train(nn.Linear(3, 1), lambda step: (torch.randn(8, 3), torch.randn(8)),
                  lambda model, x, y: ((model(x){} - y) ** 2).mean())
        """
        found = self.watch(program.format("")).one("observation", name="compared-each-with-each")
        self.assertEqual({"prediction": [8, 1], "target": [8]}, found["values"])
        self.assertEqual([], self.watch(program.format(".squeeze(1)")).all("observation"))

    def test_padding_that_a_loss_counts(self):
        program = """
            model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 12))
            tags = torch.randint(1, 12, (16, 10))
            for row, length in enumerate(torch.randint(3, 11, (16,))):
                tags[row, length:] = 0
            train(model, lambda step: (tags, tags),
                  lambda model, x, y: F.cross_entropy(model(x).flatten(0, 1), y.flatten()OPTION))
        """
        found = self.watch(program.replace("OPTION", "")).one("observation", name="padded-target")
        self.assertEqual((0, 16, 10), tuple(found["values"][key] for key in ("value", "rows", "positions")))
        for option in (", ignore_index=0", ", reduction='none')[y.flatten() != 0].mean("):
            self.assertEqual([], self.watch(program.replace("OPTION", option)).all("observation", name="padded-target"))

    def test_padding_that_a_loss_of_the_programs_own_counts(self):
        program = """
            model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 12))
            tokens = torch.randint(1, 30, (16, 10))
            for row, length in enumerate(torch.randint(3, 11, (16,))):
                tokens[row, length:] = 0
            tags = tokens % 3  # padding has the number of a class

            def loss(model, x, y):
                each = -model(x).log_softmax(-1).gather(2, y.unsqueeze(2)).squeeze(2)
                return REDUCED

            train(model, lambda step: (tokens, tags), loss)
        """
        found = self.watch(program.replace("REDUCED", "each.mean()")).one("observation", name="padded-target")
        self.assertIn("loss_of(model", found["site"]["text"])
        masked = program.replace("REDUCED", "each[x != 0].mean()")
        self.assertEqual([], self.watch(masked).all("observation", name="padded-target"))

    def test_as_many_classes_as_positions(self):
        run = self.watch("""
            class Bag(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.embed, self.head = nn.Embedding(30, 8, padding_idx=0), nn.Linear(8, 10)

                def forward(self, x):
                    return self.head(self.embed(x).sum(1) / (x != 0).sum(1, keepdim=True))

            tokens = torch.randint(1, 30, (16, 10))
            for row, length in enumerate(torch.randint(3, 11, (16,))):
                tokens[row, length:] = 0
            train(Bag(), lambda step: (tokens, torch.randint(0, 10, (16,))),
                  lambda model, x, y: F.cross_entropy(model(x), y))
        """)
        self.assertEqual([], run.all("observation", name="padded-target"))
        self.assertEqual([], run.all("observation", name="padding-leaks"))

    def test_a_mask_that_lets_padding_through(self):
        program = """
            class Pooled(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.embed, self.head = nn.Embedding(30, 8), nn.Linear(8, 3)

                def forward(self, x):
                    mask = (x != 0).float()
                    hidden = self.embed(x)
                    scores = hidden.sum(-1, keepdim=True) + (1 - mask).unsqueeze(-1) * -1e9
                    return self.head((scores.softmax(dim=AXIS) * hidden).sum(1))

            tokens = torch.randint(1, 30, (16, 10))
            for row, length in enumerate(torch.randint(3, 11, (16,))):
                tokens[row, length:] = 0
            train(Pooled(), lambda step: (tokens, torch.randint(0, 3, (16,))),
                  lambda model, x, y: F.cross_entropy(model(x), y))
        """
        right = self.watch(program.replace("AXIS", "1")).one("observation", name="padding-leaks")
        self.assertLess(right["values"]["change"], 1e-5 * right["values"]["scale"])
        wrong = self.watch(program.replace("AXIS", "2")).one("observation", name="padding-leaks")
        self.assertGreater(wrong["values"]["change"], 0.1 * wrong["values"]["scale"])

    def test_comparisons_that_are_never_true(self):
        run = self.watch("""
            loops = (torch.arange(200) == torch.arange(200).flip(0)).any()  # nothing is trained yet

            class Net(nn.Linear):
                def forward(self, x):
                    inside = torch.arange(4) == torch.arange(4).flip(0)
                    return super().forward(x)

            model = Net(4, 1)
            before = model.weight.detach().clone()
            train(model, lambda step: (torch.randn(8, 4),), lambda model, x: model(x).square().mean())
            changed = (before == model.weight.detach()).any()
            scores, classes = torch.rand(200), torch.arange(200) % 5
            hits = (scores == classes).sum()
            hits = (classes == (classes + 1) % 5).sum()
            hits = (classes == classes).sum()
            exact = torch.equal(scores, classes.float())
            same = classes == [1, 2, 3]
            same = classes == [[1, 2], [3, 4]]
            same = torch.equal(classes, classes[:10])
            named = classes == "balanced"
            others = [torch.equal(classes, part) for part in (classes[:10], classes)]
        """)
        compared = {event["site"]["text"]: event["values"] for event in run.all("observation", name="compared")}
        self.assertEqual(5, len(compared), list(compared))
        real = compared["hits = (scores == classes).sum()"]
        self.assertEqual((200, 0), (real["fractions"], real["hits"]))
        shifted = compared["hits = (classes == (classes + 1) % 5).sum()"]
        self.assertEqual((5, 40.0), (shifted["common"], shifted["by_chance"]))
        self.assertEqual(200, compared["hits = (classes == classes).sum()"]["hits"])
        exact = compared["exact = torch.equal(scores, classes.float())"]
        self.assertEqual((200, 200, 0), (exact["values"], exact["fractions"], exact["hits"]))
        parts = compared["others = [torch.equal(classes, part) for part in (classes[:10], classes)]"]
        self.assertEqual((200, 200), (parts["values"], parts["hits"]))
        never = run.all("observation", name="never-equal")
        self.assertEqual(["list", "list", [10]], [event["values"]["right"] for event in never])

    def test_windows_whose_neighbours_were_trained_on(self):
        program = """
            series = torch.randn(400).cumsum(0)
            windows = series.unfold(0, 9, 1)
            order = ORDER
            known, held = windows[order[:300]], windows[order[300:]]
            model = nn.Linear(8, 1)
            train(model, lambda step: (known[30 * step % 300:][:30, :8], known[30 * step % 300:][:30, 8:]),
                  lambda model, x, y: F.mse_loss(model(x), y), steps=10)
            with torch.no_grad():
                model(held[:, :8])
        """
        found = self.watch(program.replace("ORDER", "torch.randperm(len(windows))")).one(
            "observation", name="evaluation-windows")["values"]
        self.assertEqual(0, found["known"])
        self.assertGreater(found["neighbours"], 0.3 * found["samples"])
        run = self.watch(program.replace("ORDER", "torch.arange(len(windows))"))
        self.assertEqual([], run.all("observation", name="evaluation-windows"))

    def test_which_time_steps_of_a_recurrent_layer_are_read(self):
        program = """
            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.rnn = nn.LSTM(3, 8, num_layers=2, batch_first=True)
                    self.head = nn.Linear(8, 2)

                def forward(self, x):
                    output, (state, _) = self.rnn(x)
                    return self.head(PART)

            train(Net(), lambda step: (torch.randn(6, 5, 3), torch.randint(0, 2, (6,))),
                  lambda model, x, y: F.cross_entropy(model(x), y))
        """
        first = self.watch(program.replace("PART", "output[:, 0]")).one("observation", name="recurrent-read")
        self.assertEqual(([0], 5, 6), tuple(first["values"][key] for key in ("times", "steps", "samples")))
        self.assertIn("output[:, 0]", first["site"]["text"])
        last = self.watch(program.replace("PART", "output[:, -1]")).one("observation", name="recurrent-read")
        self.assertEqual([4], last["values"]["times"])
        state = self.watch(program.replace("PART", "state[0]")).one("observation", name="recurrent-read")
        self.assertEqual(([], [0]), (state["values"]["times"], state["values"]["state_layers"]))

    def test_a_state_that_keeps_its_graph(self):
        program = """
            rnn = nn.GRU(2, 4)
            train(rnn, lambda step: (torch.randn(3, 1, 2),), lambda model, x: model(x)[0].sum())
            rnn.eval()
            state = torch.zeros(1, 1, 4)
            with torch.set_grad_enabled(GRADIENT):
                for _ in range(70):
                    _, state = rnn(torch.ones(1, 1, 2), state)
        """
        kept = self.watch(program.replace("GRADIENT", "True")).one("observation", name="state-kept")
        self.assertEqual("_, state = rnn(torch.ones(1, 1, 2), state)", kept["site"]["text"])
        self.assertEqual([], self.watch(program.replace("GRADIENT", "False")).all("observation", name="state-kept"))

    def test_labels_that_are_blended(self):
        program = """
            model = nn.Conv2d(1, 5, 3, padding=1)
            masks = torch.randint(0, 5, (4, 1, 16, 16)).float()
            small = F.interpolate(masks, size=(7, 7), mode=MODE)
            train(model, lambda step: (torch.randn(4, 1, 7, 7), small[:, 0].long()),
                  lambda model, x, y: F.cross_entropy(model(x), y))
        """
        found = self.watch(program.replace("MODE", "'bilinear'")).one("observation", name="labels-blended")
        self.assertEqual((5, [4, 1, 7, 7]), (found["values"]["labels"], found["values"]["shape"]))
        self.assertEqual([], self.watch(program.replace("MODE", "'nearest'")).all("observation", name="labels-blended"))

    def test_splits_that_overlap(self):
        program = """
            from torch.utils.data import DataLoader, Subset, TensorDataset

            data = TensorDataset(torch.randn(100, 3), torch.randn(100, 1))

            def run(train, test):
                model = nn.Linear(3, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
                for epoch in range(2):
                    for x, y in DataLoader(train, batch_size=10):
                        optimizer.zero_grad()
                        F.mse_loss(model(x), y).backward()
                        optimizer.step()
                    with torch.no_grad():
                        for x, y in DataLoader(test, batch_size=10):
                            F.mse_loss(model(x), y)

            RUN
        """
        def overlaps(text):
            return self.watch(program.replace("RUN", text)).all("observation", name="splits-overlap")

        found, = overlaps("run(Subset(data, range(0, 80)), Subset(data, range(70, 100)))")
        self.assertEqual((10, 30, 80), tuple(found["values"][key] for key in ("shared", "samples", "others")))
        self.assertIn("F.mse_loss(model(x), y)", found["site"]["text"])
        for text in ("run(Subset(data, range(0, 80)), Subset(data, range(80, 100)))",
                     "run(Subset(data, range(0, 80)), Subset(data, range(20, 40)))",
                     "folds = [list(range(k, 100, 5)) for k in range(5)]\n"
                     "            for k in range(5):\n"
                     "                known = [i for j in range(5) if j != k for i in folds[j]]\n"
                     "                run(Subset(data, known), Subset(data, folds[k]))"):
            self.assertEqual([], overlaps(text))

    def test_samples_of_the_batch_before(self):
        program = """
            buffer = torch.zeros(32, dtype=torch.int64)

            def batch(step):
                count = 20 if step == 3 else 32
                buffer[:count] = torch.randint(0, 10, (count,))
                return torch.randn(32, 4)[:SIZE], buffer[:SIZE]

            train(nn.Linear(4, 10), batch, lambda model, x, y: F.cross_entropy(model(x), y), steps=6)
        """
        found = self.watch(program.replace("SIZE", "32")).one("observation", name="stale-samples")
        self.assertGreaterEqual(found["values"]["repeated"], 12)
        self.assertEqual("targets", found["values"]["compared"])
        self.assertEqual([], self.watch(program.replace("SIZE", "count")).all("observation", name="stale-samples"))

    def test_classes_in_runs_are_no_samples_of_the_batch_before(self):
        run = self.watch("""
            def batch(step):
                classes = torch.cat([torch.randperm(8), torch.tensor([0, 1, 2, 3])])  # the same end by chance
                return torch.randn(48, 4), classes.repeat_interleave(4)

            train(nn.Linear(4, 10), batch, lambda model, x, y: F.cross_entropy(model(x), y), steps=20)
        """)
        self.assertEqual([], run.all("observation", name="stale-samples"))

    def test_inputs_of_the_batch_before_in_evaluation(self):
        program = """
            model = nn.Linear(6, 2)
            train(model, lambda step: (torch.randn(8, 6), torch.randint(0, 2, (8,))),
                  lambda model, x, y: F.cross_entropy(model(x), y))
            buffer = torch.zeros(8, 6)
            with torch.no_grad():
                for count in COUNTS:
                    buffer[:count] = torch.randn(count, 6)
                    model(buffer)
        """
        found = self.watch(program.replace("COUNTS", "(8, 8, 5)")).one("observation", name="stale-samples")
        self.assertEqual((8, 3, "inputs"), tuple(found["values"][key] for key in ("samples", "repeated", "compared")))
        self.assertEqual("model(buffer)", found["site"]["text"])
        for counts in ("(8, 5, 8)", "(8, 8, 7)"):
            run = self.watch(program.replace("COUNTS", counts))
            self.assertEqual([], run.all("observation", name="stale-samples"))

    def test_a_mask_along_the_wrong_axis(self):
        program = """
            class Attention(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.query, self.key = nn.Linear(4, 4), nn.Linear(4, 4)

                def forward(self, x):
                    hidden = torch.arange(6) >= 4
                    scores = self.query(x) @ self.key(x).transpose(1, 2)
                    scores = scores.masked_fill(hidden.viewSHAPE, -1e9)
                    return scores.softmax(dim=-1) @ x

            train(Attention(), lambda step: (torch.randn(3, 6, 4),), lambda model, x: model(x).square().mean())
        """
        found = self.watch(program.replace("SHAPE", "(1, 6, 1)")).one("observation", name="mask-over-rows")
        self.assertEqual((18, 6), (found["values"]["rows"], found["values"]["masked"]))
        self.assertIn("masked_fill", found["site"]["text"])
        self.assertEqual([], self.watch(program.replace("SHAPE", "(1, 1, 6)")).all("observation"))

    def test_what_the_model_is_given_in_evaluation(self):
        found = self.watch("""
            model = nn.Linear(64, 10)
            train(model, lambda step: (torch.rand(8, 64), torch.randint(0, 10, (8,))),
                  lambda model, x, y: F.cross_entropy(model(x), y))

            @torch.no_grad()
            def evaluate(x):
                return model(x).argmax(1)

            evaluate(255 * torch.rand(8, 64))
        """).one("observation", name="evaluation-input")
        self.assertEqual("return model(x).argmax(1)", found["site"]["text"])
        self.assertGreater(found["values"]["evaluation"]["max"], 200)
        self.assertLess(found["values"]["training"]["max"], 1)


if __name__ == "__main__":
    unittest.main()
