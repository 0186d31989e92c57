"""The probe for PyTorch, on real programs."""

import os
import sys
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
