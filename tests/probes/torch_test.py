"""The probe for PyTorch, on real programs."""

import os
import sys
import textwrap
import unittest

from watching import BENCH, Watching

CLASSIFIER = """
    import torch
    from torch import nn

    torch.manual_seed(0)


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = nn.Linear(4, 8)
            self.idle = nn.Linear(8, 8)
            self.fc2 = nn.Linear(8, 3)

        def forward(self, x):
            return self.fc2(torch.relu(self.fc1(x)))


    model = Net()
    x, y = torch.randn(24, 4), torch.arange(24) % 3
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(6):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            criterion(model(x), y)
"""


class Numbers(Watching):
    def test_weights_are_the_same_with_and_without_the_probe(self):
        for program, arguments in (("mlp.py", ["2"]), ("cnn.py", ["1", "640"]), ("lstm.py", ["1"])):
            path = os.path.join(BENCH, program)
            without = self.python(path, *arguments, probe=False)
            self.assertEqual(0, without.status, without.errors)
            for every in (0, 1):
                watched = self.python(path, *arguments, every=every)
                self.assertEqual(without.output, watched.output, program)
                self.assertEqual(without.errors, watched.errors, program)
                self.assertGreater(len(watched.all("step")), 5)

    def test_pickles_and_copies_show_nothing_of_the_probe(self):
        program = """
            import copy, pickle
            import torch
            from torch import nn

            torch.manual_seed(0)
            model = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.TransformerEncoderLayer(3, 1, 4, batch_first=True))
            optimizer = torch.optim.Adam(model.parameters())
            for _ in range(3):
                optimizer.zero_grad()
                model(torch.ones(2, 2, 3)).sum().backward()
                optimizer.step()
            twin = copy.deepcopy(model)
            print(sorted(vars(twin[0])), sorted(vars(optimizer)))
            print(sorted(vars(pickle.loads(pickle.dumps(model))[2])))
            print({name: value.double().sum().item() for name, value in twin.state_dict().items()})
            model.eval()
            with torch.no_grad():
                print(model(torch.ones(2, 2, 3)).double().sum().item())
            print(torch.jit.script(nn.Sequential(nn.Linear(3, 3), nn.ReLU()))(torch.ones(1, 3)).sum().item())
            print(torch.jit.script(nn.CrossEntropyLoss())(torch.eye(3), torch.arange(3)).item())
            print(torch.rand(1).item(), torch.get_num_threads(), torch.is_grad_enabled())
        """
        self.assertEqual(self.python(program, probe=False).output, self.python(program).output)

    def test_a_frozen_transformer_gives_the_same_numbers(self):
        program = """
            import torch
            from torch import nn

            torch.manual_seed(0)
            layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
            teacher, student = nn.TransformerEncoder(layer, 2).eval(), nn.Linear(16, 16)
            attention = nn.MultiheadAttention(16, 2, batch_first=True).eval().requires_grad_(False)
            optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
            hidden = torch.arange(6) >= torch.tensor([[6], [5], [4], [3]])
            for step in range(6):
                x = torch.randn(4, 6, 16)
                optimizer.zero_grad()
                with torch.no_grad():
                    target = teacher(x) + layer.eval()(x) + teacher(x, src_key_padding_mask=hidden)[:, :1]
                target = target + attention(x, x, x, need_weights=False)[0]
                loss = nn.functional.mse_loss(torch.tanh(student(x)), target)
                loss.backward()
                optimizer.step()
                print(target.double().sum().item(), loss.item())
        """
        without, watched = self.python(program, probe=False), self.python(program)
        self.assertEqual((0, without.output), (watched.status, watched.output), watched.errors)
        self.assertIn("tanh", [layer["name"] for layer in watched.all("layer")])  # the mode is there again

    def test_functions_that_are_wrapped_compile(self):
        run = self.python("""
            import torch
            import torch.nn.functional as F

            @torch.jit.script
            def same(a, b) -> bool:
                return torch.equal(a, b)

            @torch.jit.script
            def loss(a, b):
                return F.mse_loss(F.interpolate(a, scale_factor=2.0), b)

            print(same(torch.ones(2), torch.ones(2)), same(torch.ones(2), torch.ones(3)))
            print(loss(torch.ones(1, 1, 2), torch.zeros(1, 1, 4)).item())
        """)
        self.assertEqual((0, "True False\n1.0\n"), (run.status, run.output), run.errors)

    def test_memory_that_is_shared_is_not_written(self):
        program = """
            import numpy as np
            import torch
            from torch import nn

            torch.manual_seed(0)
            model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
            SHARED
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
            for step in range(300):
                optimizer.zero_grad()
                nn.functional.mse_loss(model(torch.randn(8, 4)), torch.ones(8, 1)).backward()
                optimizer.step()
            print(sum(p.double().sum().item() for p in model.parameters()))
        """
        mapped = '''kept = np.memmap("weight", np.float32, "w+", shape=(8, 4))
            kept[:] = model[0].weight.detach().numpy()
            model[0].weight.data = torch.from_numpy(kept)'''
        for shared in ("model.share_memory()", mapped):
            text = program.replace("SHARED", shared)
            without, watched = self.python(text, probe=False), self.python(text)
            self.assertEqual((0, without.output), (watched.status, watched.output), watched.errors)
            self.assertEqual([], watched.all("experiment", name="overfit"))
        self.assertTrue(self.python(program.replace("SHARED", "")).all("experiment", name="overfit"))


class Records(Watching):
    def test_layers_have_the_line_where_they_were_made(self):
        run = self.python(CLASSIFIER)
        layers = {layer["name"]: layer for layer in run.all("layer")}
        self.assertEqual({"file": "train.py", "line": 10, "text": "self.fc1 = nn.Linear(4, 8)"},
                         layers["fc1"]["site"])
        self.assertEqual("Linear", layers["fc1"]["kind"])
        self.assertEqual([True, True], layers["fc1"]["optimised"])
        self.assertEqual({"in_features": 4, "out_features": 8, "loaded": False}, layers["fc1"]["settings"])
        self.assertFalse(layers["idle"]["called"])
        self.assertEqual(15, layers["relu"]["site"]["line"])
        called = sorted((layer["order"], layer["name"]) for layer in layers.values() if layer["called"])
        self.assertEqual(["fc1", "relu", "fc2"], [name for _, name in called])

    def test_losses_steps_and_evaluations(self):
        run = self.python(CLASSIFIER)
        loss = run.all("loss")[0]
        self.assertEqual(("cross_entropy", "mean", 24), (loss["kind"], loss["reduction"], loss["site"]["line"]))
        self.assertEqual([8, 8, 8], loss["target"]["class_counts"])
        self.assertEqual([24, 4], loss["input"]["shape"])
        steps = run.all("step")
        self.assertEqual([0, 1, 2, 3, 4, 5], [step["epoch"] for step in steps])
        self.assertLess(steps[-1]["loss"], steps[0]["loss"])
        self.assertAlmostEqual(0.1, steps[0]["rate"])
        self.assertEqual(24, steps[0]["samples"])
        self.assertEqual(6, len(run.all("evaluation")))
        self.assertEqual(1, run.all("evaluation")[0]["batches"])
        optimizer = run.one("optimizer")
        self.assertEqual(("SGD", 20, 0.9), (optimizer["kind"], optimizer["site"]["line"],
                                            optimizer["settings"]["momentum"]))
        self.assertEqual({"status": 0, "steps": 6}, {key: run.one("end")[key] for key in ("status", "steps")})

    def test_a_metric_of_the_training_is_no_evaluation(self):
        run = self.python("""
            import torch
            from torch import nn

            model = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for _ in range(3):
                optimizer.zero_grad()
                output = model(torch.ones(8, 4))
                nn.functional.mse_loss(output, torch.zeros(8, 4)).backward()
                optimizer.step()
                with torch.no_grad():
                    nn.functional.l1_loss(output, torch.zeros(8, 4))
        """)
        self.assertEqual([], run.all("evaluation"))

    def test_statistics_of_a_check(self):
        run = self.python("""
            import torch
            from torch import nn

            model = nn.Linear(2, 2, bias=False)
            with torch.no_grad():
                model.weight.copy_(torch.tensor([[1.0, -3.0], [0.0, 0.0]]))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
            loss = model(torch.tensor([[1.0, 1.0], [2.0, 0.0]])).sum()
            loss.backward()
            optimizer.step()
        """)
        weight, = run.all("tensor", role="weight")
        names = ("count", "zeros", "mean", "min", "max")
        self.assertEqual((4, 0.5, -0.5, -3.0, 1.0), tuple(weight[name] for name in names))
        self.assertAlmostEqual(10 ** 0.5, weight["norm"], places=5)
        self.assertAlmostEqual(1.5, weight["std"], places=5)
        output, = run.all("tensor", role="output")
        self.assertEqual((2, 1), (output["units"], output["dead"]))
        gradient, = run.all("tensor", role="gradient")
        self.assertEqual((1.0, 3.0), (gradient["min"], gradient["max"]))
        update, = run.all("tensor", role="update")
        self.assertEqual((-1.5, -0.5), (update["min"], update["max"]))

    def test_experiments_on_a_copy(self):
        run = self.python(CLASSIFIER)
        found = {event["name"]: event["values"] for event in run.all("experiment")}
        self.assertAlmostEqual(found["double-batch"]["loss"], found["double-batch"]["doubled"], places=5)
        self.assertEqual(0, found["mixing"]["largest_change"])
        self.assertLess(found["overfit"]["last"], found["overfit"]["first"])
        self.assertEqual(20, len(found["zero-input"]["zeroed"]))
        self.assertEqual({"calls": 6, "steps": 6, "backwards": 6}, found["zero-grad"])

    def test_evaluation_mode_is_tried_later_and_penalties_are_weighed(self):
        run = self.python("""
            import torch
            from torch import nn

            torch.manual_seed(0)
            model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01, weight_decay=10)
            x = torch.randn(16, 3)
            for step in range(210):
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), x[:, :1]).backward()
                optimizer.step()
        """)
        found = {event["name"]: event["values"] for event in run.all("experiment")}
        self.assertEqual(200, found["eval-mode"]["step"])
        self.assertEqual(5, len(found["regulariser"]["data"]))
        self.assertGreater(found["regulariser"]["penalty"][0], found["regulariser"]["data"][0])

    def test_a_crash_names_the_layer_and_its_shapes(self):
        run = self.python("""
            import torch
            from torch import nn

            model = nn.Sequential(
                nn.Linear(4, 8),
                nn.Linear(6, 2),
            )


            def main():
                model(torch.ones(5, 4))


            main()
        """)
        self.assertEqual(1, run.status)
        crash = run.one("crash")
        self.assertEqual("RuntimeError", crash["exception"])
        self.assertIn("mat1 and mat2 shapes cannot be multiplied", crash["message"])
        self.assertEqual([14, 11], [frame["line"] for frame in crash["frames"]])
        self.assertEqual(6, run.layer(crash["layer"])["site"]["line"])
        self.assertEqual([5, 8], crash["facts"]["inputs"][0])
        self.assertEqual([2, 6], crash["facts"]["parameters"]["weight"])
        self.assertIn("Traceback", run.errors)


class NonFinite(Watching):
    PROGRAM = """
        import torch
        from torch import nn

        torch.manual_seed(0)


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 1)

            def forward(self, x):
                y = self.fc(x)
                return {inside}


        model = Net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for step in range(12):
            x = torch.ones(4, 3)
            optimizer.zero_grad()
            y = model(x)
            if step == 7:
                y = y - y.detach()
            loss = {outside}
            loss.backward()
            optimizer.step()
    """

    def test_log_outside_a_module(self):
        run = self.python(self.PROGRAM.format(inside="y.abs() + 1", outside="torch.log(y).mean()"))
        event = run.one("nonfinite")
        self.assertEqual((7, "log", False, 25, -1), (event["step"], event["operation"], event["backward"],
                                                     event["site"]["line"], event["layer"]))
        self.assertEqual(0, event["operands"][0]["max"])
        self.assertEqual(12, len(run.all("step")))

    def test_log_inside_a_module(self):
        program = self.PROGRAM.format(inside="torch.log(y - y.detach() if step == 8 else y.abs() + 1)",
                                      outside="(y ** 2).mean()")
        event = self.python(program).one("nonfinite")
        self.assertEqual((8, "log", 14), (event["step"], event["operation"], event["site"]["line"]))

    def test_root_whose_gradient_is_infinite(self):
        run = self.python(self.PROGRAM.format(inside="y.abs() + 1", outside="torch.sqrt(y).mean()"))
        event = run.one("nonfinite")
        self.assertEqual((7, "sqrt", True, 25), (event["step"], event["operation"], event["backward"],
                                                 event["site"]["line"]))

    def test_a_copy_of_the_program_writes_nothing(self):
        run = self.python(self.PROGRAM.format(inside="y.abs() + 1", outside="torch.log(y).mean()") + """
            open("steps.txt", "a").write("x")
            torch.save(model.state_dict(), "model.pt")
            print("step", step, flush=True)
        """)
        self.assertEqual(7, run.one("nonfinite")["step"])
        self.assertEqual(12, run.output.count("step"))
        with open(os.path.join(self.folder, "steps.txt")) as file:
            self.assertEqual("x" * 12, file.read())

    def test_data_that_is_no_number(self):
        run = self.python(self.PROGRAM.format(inside="y", outside="y.mean()").replace(
            "torch.ones(4, 3)", "torch.full((4, 3), float('nan') if step == 3 else 1.0)"))
        self.assertEqual((3, "data"), tuple(run.one("nonfinite")[key] for key in ("step", "operation")))


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


class Processes(Watching):
    def test_workers_of_a_loader_do_not_record(self):
        program = """
            import torch
            from torch import nn
            from torch.utils.data import DataLoader, TensorDataset

            if __name__ == "__main__":
                torch.manual_seed(0)
                data = TensorDataset(torch.randn(40, 3), torch.randn(40, 1))
                model = nn.Linear(3, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                for epoch in range(3):
                    for x, y in DataLoader(data, batch_size=10, num_workers=2):
                        optimizer.zero_grad()
                        nn.functional.mse_loss(model(x), y).backward()
                        optimizer.step()
                print(model.weight.sum().item())
        """
        without, watched = self.python(program, probe=False), self.python(program)
        self.assertEqual((0, without.output), (watched.status, watched.output), watched.errors)
        self.assertEqual(12, len(watched.all("step")))
        watched.one("start")
        watched.one("end")

    def test_another_thread_does_not_hide_steps(self):
        run = self.python("""
            import threading
            import torch
            from torch import nn

            model = nn.Linear(3, 1)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            done = threading.Event()

            def prepare():
                other = nn.Linear(3, 1)
                adam = torch.optim.Adam(other.parameters())
                while not done.is_set():
                    with torch.no_grad():
                        torch.equal(torch.ones(2), torch.ones(2))
                    other(torch.ones(2, 3)).sum().backward()
                    adam.step()

            def step():
                optimizer.zero_grad()
                nn.functional.mse_loss(model(torch.randn(8, 3)), torch.ones(8, 1)).backward()
                optimizer.step()

            step()
            threads = [threading.Thread(target=prepare) for _ in range(2)]
            for thread in threads:
                thread.start()
            for _ in range(400):
                step()
            done.set()
            for thread in threads:
                thread.join()
        """)
        self.assertEqual(list(range(401)), [step["step"] for step in run.all("step")])
        self.assertEqual(0, sum(step["loss"] != step["loss"] for step in run.all("step")))

    def test_a_program_may_ask_for_torch_before_it_imports_it(self):
        run = self.python("""
            import importlib.util
            print(importlib.util.find_spec("torch").name, importlib.util.find_spec("nowhere_at_all"))
            print(importlib.util.find_spec("torch").name)
            import torch
            print(importlib.util.find_spec("torch") is torch.__spec__)
            torch.nn.Linear(2, 2)(torch.ones(1, 2)).sum().backward()
        """)
        self.assertEqual((0, "torch None\ntorch\nTrue\n"), (run.status, run.output), run.errors)
        self.assertEqual(1, len(run.all("step")))

    def test_epochs_are_those_of_the_loader(self):
        run = self.python("""
            import torch
            from torch import nn
            from torch.utils.data import DataLoader, TensorDataset

            loader = DataLoader(TensorDataset(torch.randn(40, 3), torch.randn(40, 1)), batch_size=10)
            model = nn.Linear(3, 1)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for _ in range(2):
                for x, y in loader:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(model(x), y).backward()
                    optimizer.step()
        """)
        self.assertEqual([0, 0, 0, 0, 1, 1, 1, 1], [step["epoch"] for step in run.all("step")])

    def test_a_program_without_torch_has_no_stream(self):
        run = self.python("""
            import os, sys
            print(os.environ.get("PYTHONPATH"), os.environ.get("FAULTLINE_WATCH_FD"))
            print([name for name in sys.path if "faultline" in name], "numpy" in sys.modules)
        """)
        self.assertEqual("None None\n[] False\n", run.output)
        self.assertEqual(b"", run.stream)

    def test_the_users_sitecustomize_runs(self):
        self.write("sitecustomize.py", "print('customised')")
        path = self.write("train.py", "import os; print(os.environ['PYTHONPATH'])")
        for probe in (False, True):
            run = self.start([sys.executable, path], probe, {"PYTHONPATH": self.folder})
            self.assertEqual(f"customised\n{self.folder}\n", run.output)

    def test_children_do_not_record(self):
        run = self.python("""
            import os, subprocess, sys
            import torch

            subprocess.run([sys.executable, "-c", "import torch; print(torch.nn.Linear(1, 1).in_features)"], check=True)
            if os.fork() == 0:
                torch.nn.Linear(2, 2)(torch.ones(1, 2)).sum().backward()
                sys.exit(0)
            os.wait()
        """)
        self.assertEqual((0, "1\n"), (run.status, run.output))
        self.assertEqual(["start", "end"], [event["event"] for event in run.events])


if __name__ == "__main__":
    unittest.main()
