"""Ordinary programs that are right: `faultline watch` has nothing to say about them."""

import json
import os
import subprocess
import sys
import textwrap
import unittest

from watching import ROOT, Watching

BINARY = os.path.abspath(os.environ.get("FAULTLINE_BINARY", os.path.join(ROOT, "build", "release", "faultline")))

START = """
    import torch
    from torch import nn
    import torch.nn.functional as F
    from torch.utils.data import DataLoader, Subset, TensorDataset, WeightedRandomSampler

    torch.manual_seed(0)
    torch.set_num_threads(1)


    def blobs(count, classes=4, width=8):
        centres = torch.randn(classes, width) * 2
        labels = torch.randint(0, classes, (count,))
        return centres[labels] + torch.randn(count, width), labels


    def sentences(count, length=12, words=30):
        tokens = torch.randint(1, words, (count, length))
        for row, end in enumerate(torch.randint(3, length + 1, (count,))):
            tokens[row, end:] = 0
        return tokens
"""


class HealthyProgramsStaySilent(Watching):
    def assert_silent(self, program):
        self.write("train.py", START)
        with open(os.path.join(self.folder, "train.py"), "a") as file:
            file.write("\n\n" + textwrap.dedent(program).lstrip("\n"))
        done = subprocess.run([BINARY, "watch", "--format", "json", "--", sys.executable, "train.py"], cwd=self.folder,
                              text=True, capture_output=True, timeout=240)
        try:
            findings = json.loads(done.stdout)
        except ValueError:
            self.fail(f"no answer: {done.stdout[-1000:]}{done.stderr[-3000:]}")
        self.assertNotIn("Traceback", done.stderr)
        self.assertRegex(done.stderr, r"\d+ training steps")
        loud = [finding for finding in findings if finding["severity"] in ("error", "warning")]
        self.assertEqual([], [(finding["rule"], finding["message"], finding.get("notes")) for finding in loud])

    def test_cross_validation(self):
        self.assert_silent("""
            x, y = blobs(300)
            data = TensorDataset(x, y)
            order = torch.randperm(300)
            folds = order.chunk(3)
            for k in range(3):
                known = torch.cat([fold for number, fold in enumerate(folds) if number != k])
                train = DataLoader(Subset(data, known.tolist()), batch_size=20, shuffle=True)
                held = DataLoader(Subset(data, folds[k].tolist()), batch_size=50)
                model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
                optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
                for epoch in range(8):
                    model.train()
                    for inputs, labels in train:
                        optimizer.zero_grad()
                        F.cross_entropy(model(inputs), labels).backward()
                        optimizer.step()
                model.eval()
                hits = 0
                with torch.no_grad():
                    for inputs, labels in held:
                        hits += (model(inputs).argmax(1) == labels).sum().item()
                print(k, hits / len(folds[k]))
        """)

    def test_accuracy_on_some_of_the_training_data(self):
        self.assert_silent("""
            x, y = blobs(400)
            data = TensorDataset(x, y)
            train, test = Subset(data, range(300)), Subset(data, range(300, 400))
            model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
            optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

            @torch.no_grad()
            def accuracy(part):
                model.eval()
                hits = sum((model(x).argmax(1) == y).sum().item() for x, y in DataLoader(part, batch_size=50))
                model.train()
                return hits / len(part)

            for epoch in range(10):
                for inputs, labels in DataLoader(train, batch_size=20, shuffle=True):
                    optimizer.zero_grad()
                    F.cross_entropy(model(inputs), labels).backward()
                    optimizer.step()
                sample = Subset(train, torch.randperm(300)[:100].tolist())
                print(epoch, accuracy(sample), accuracy(test))
        """)

    def test_distillation_of_a_frozen_transformer(self):
        self.assert_silent("""
            layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
            teacher = nn.TransformerEncoder(layer, 2).eval().requires_grad_(False)
            student = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 16))
            optimizer = torch.optim.Adam(student.parameters(), lr=3e-3)
            data = torch.randn(256, 5, 16)
            for epoch in range(12):
                for x in torch.utils.data.DataLoader(data, batch_size=16, shuffle=True):
                    optimizer.zero_grad()
                    with torch.no_grad():
                        wanted = teacher(x)
                    F.mse_loss(student(x), wanted).backward()
                    optimizer.step()
        """)

    def test_a_sampler_that_balances_classes(self):
        self.assert_silent("""
            x, y = blobs(600)
            keep = (y != 0) | (torch.rand(600) < 0.2)
            x, y = x[keep], y[keep]
            weights = 1.0 / torch.bincount(y)[y]
            loader = DataLoader(TensorDataset(x, y), batch_size=32, sampler=WeightedRandomSampler(weights, len(y)))
            model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
            optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
            for epoch in range(12):
                for inputs, labels in loader:
                    optimizer.zero_grad()
                    F.cross_entropy(model(inputs), labels).backward()
                    optimizer.step()

            def balanced():  # as many of each class, one class after the other
                rows = [torch.nonzero(y == label).flatten() for label in range(4)]
                return torch.cat([row[torch.randint(len(row), (8,))] for row in rows])

            for step in range(60):
                rows = balanced()
                optimizer.zero_grad()
                F.cross_entropy(model(x[rows]), y[rows]).backward()
                optimizer.step()
        """)

    def test_a_tagger_of_packed_sequences(self):
        self.assert_silent("""
            from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

            class Tagger(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.embed = nn.Embedding(30, 16, padding_idx=0)
                    self.rnn = nn.LSTM(16, 16, batch_first=True, bidirectional=True)
                    self.head = nn.Linear(32, 5)

                def forward(self, tokens, lengths):
                    packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True, enforce_sorted=False)
                    hidden, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True,
                                                    total_length=tokens.shape[1])
                    return self.head(hidden)

            tokens = sentences(256)
            tags = torch.where(tokens > 0, tokens % 5, torch.tensor(-100))
            loader = DataLoader(TensorDataset(tokens, tags), batch_size=32, shuffle=True)
            model = Tagger()
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
            for epoch in range(12):
                for x, y in loader:
                    optimizer.zero_grad()
                    output = model(x, (x > 0).sum(1))
                    F.cross_entropy(output.flatten(0, 1), y.flatten(), ignore_index=-100).backward()
                    optimizer.step()
        """)

    def test_a_text_network_with_masked_pooling(self):
        self.assert_silent("""
            class TextNet(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.embed = nn.Embedding(30, 16, padding_idx=0)
                    self.conv = nn.Conv1d(16, 32, 3, padding=1)
                    self.head = nn.Linear(32, 12)  # as many classes as positions

                def forward(self, tokens):
                    mask = (tokens != 0).unsqueeze(1)
                    hidden = torch.relu(self.conv(self.embed(tokens).transpose(1, 2)))
                    return self.head(hidden.masked_fill(~mask, -1e9).max(dim=2).values)

            tokens = sentences(384)
            labels = tokens.max(dim=1).values.clamp(max=29) % 12
            loader = DataLoader(TensorDataset(tokens, labels), batch_size=32, shuffle=True)
            model = TextNet()
            optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
            for epoch in range(15):
                for x, y in loader:
                    optimizer.zero_grad()
                    F.cross_entropy(model(x), y).backward()
                    optimizer.step()
        """)

    def test_a_generator_and_a_discriminator(self):
        self.assert_silent("""
            generator = nn.Sequential(nn.Linear(4, 32), nn.LeakyReLU(0.2), nn.Linear(32, 2))
            critic = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
            of_generator = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.999))
            of_critic = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.999))
            loss = nn.BCEWithLogitsLoss()
            real, fake = torch.ones(32, 1), torch.zeros(32, 1)
            for step in range(200):
                data = torch.randn(32, 2) * 0.5 + torch.tensor([1.0, -1.0])
                made = generator(torch.randn(32, 4))
                of_critic.zero_grad()
                (loss(critic(data), real) + loss(critic(made.detach()), fake)).backward()
                of_critic.step()
                of_generator.zero_grad()
                loss(critic(made), real).backward()
                of_generator.step()
        """)

    def test_a_graph_without_loops(self):
        self.assert_silent("""
            class Layer(nn.Module):
                def __init__(self, width, result):
                    super().__init__()
                    self.linear = nn.Linear(width, result)

                def forward(self, x, source, target):
                    if (source == target).any():
                        raise ValueError("a loop")
                    degree = torch.bincount(target, minlength=len(x)).clamp(min=1).unsqueeze(1)
                    near = torch.zeros_like(x).index_add(0, target, x[source]) / degree
                    return self.linear(x + near)

            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.first, self.second = Layer(8, 32), Layer(32, 4)

                def forward(self, x, source, target):
                    return self.second(torch.relu(self.first(x, source, target)), source, target)

            x, y = blobs(120)
            source, target = torch.randint(0, 120, (2, 1500))
            near = (source != target) & (y[source] == y[target])
            source, target = source[near], target[near]
            assert not (source == target).any()
            model = Net()
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
            known = torch.rand(120) < 0.7
            for epoch in range(80):
                model.train()
                optimizer.zero_grad()
                F.cross_entropy(model(x, source, target)[known], y[known]).backward()
                optimizer.step()
                model.eval()
                with torch.no_grad():
                    hits = (model(x, source, target).argmax(1) == y)[~known].float().mean().item()
                    loops = (source == target).sum().item()
            print(hits, loops)
        """)

    def test_a_metric_without_gradients_in_training(self):
        self.assert_silent("""
            x = torch.randn(400, 8)
            y = x[:, :2].sum(1, keepdim=True) + 0.1 * torch.randn(400, 1)
            model = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
            weight = torch.ones(1)
            for epoch in range(15):
                for inputs, wanted in DataLoader(TensorDataset(x, y), batch_size=40, shuffle=True):
                    optimizer.zero_grad()
                    output = model(inputs)
                    F.mse_loss(output, wanted).backward()
                    optimizer.step()
                    if weight == "balanced":
                        raise ValueError
                    with torch.no_grad():
                        error = F.l1_loss(output, wanted).item()
            print(error)
        """)

    def test_an_autoencoder_that_samples(self):
        self.assert_silent("""
            class Variational(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.encode = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8))
                    self.decode = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 16))

                def forward(self, x):
                    mean, log_variance = self.encode(x).chunk(2, dim=1)
                    code = mean + torch.randn_like(mean) * (0.5 * log_variance).exp()
                    return self.decode(code), mean, log_variance

            data = torch.randn(512, 3) @ torch.randn(3, 16)
            model = Variational()
            optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
            for epoch in range(12):
                for x in DataLoader(data, batch_size=32, shuffle=True):
                    optimizer.zero_grad()
                    again, mean, log_variance = model(x)
                    divergence = -0.5 * (1 + log_variance - mean ** 2 - log_variance.exp()).sum(1).mean()
                    (F.mse_loss(again, x, reduction="sum") / len(x) + divergence).backward()
                    optimizer.step()
                with torch.no_grad():
                    made = model.decode(torch.randn(8, 4))
            print(made.shape)
        """)

    def test_values_learnt_from_a_replay_buffer(self):
        self.assert_silent("""
            import copy
            import random

            random.seed(0)
            model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2))
            frozen = copy.deepcopy(model)
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
            replay, place = [], 0
            for step in range(400):
                state = F.one_hot(torch.tensor(place), 6).float()
                with torch.no_grad():
                    best = model(state.unsqueeze(0)).argmax(1).item()
                action = best if random.random() > 0.3 else random.randrange(2)
                following = min(place + 1, 5) if action else max(place - 1, 0)
                reward = 1.0 if following == 5 else 0.0
                replay.append((place, action, reward, following))
                place = 0 if following == 5 else following
                if len(replay) < 32:
                    continue
                places, actions, rewards, nexts = (torch.tensor(column) for column in zip(*random.sample(replay, 32)))
                with torch.no_grad():
                    ahead = frozen(F.one_hot(nexts, 6).float()).max(1).values
                    wanted = rewards + 0.9 * ahead * (nexts != 5)
                guessed = model(F.one_hot(places, 6).float()).gather(1, actions.unsqueeze(1)).squeeze(1)
                optimizer.zero_grad()
                F.smooth_l1_loss(guessed, wanted).backward()
                optimizer.step()
                if step % 20 == 0:
                    frozen.load_state_dict(model.state_dict())
        """)

    def test_adversarial_networks_take_turns(self):
        self.assert_silent("""
            maker = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 2))
            judge = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
            maker_steps = torch.optim.Adam(maker.parameters(), lr=1e-3, betas=(0.5, 0.999))
            judge_steps = torch.optim.Adam(judge.parameters(), lr=1e-3, betas=(0.5, 0.999))
            error = nn.BCEWithLogitsLoss()
            for step in range(300):
                angles = torch.rand(64) * 6.2832
                real = torch.stack([angles.cos(), angles.sin()], 1) + 0.05 * torch.randn(64, 2)
                fake = maker(torch.randn(64, 8))
                judge_steps.zero_grad()
                loss = error(judge(real), torch.ones(64, 1)) + error(judge(fake.detach()), torch.zeros(64, 1))
                loss.backward()
                judge_steps.step()
                maker_steps.zero_grad()
                error(judge(fake), torch.ones(64, 1)).backward()
                maker_steps.step()
        """)

    def test_an_optimizer_that_is_there_stands_still(self):
        self.assert_silent("""
            x = torch.linspace(-3, 3, 200).unsqueeze(1)
            model = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
            optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5)

            def closure():
                optimizer.zero_grad()
                loss = F.mse_loss(model(x), torch.sin(x))
                loss.backward()
                return loss

            for _ in range(40):
                optimizer.step(closure)
        """)

    def test_a_margin_that_every_sample_keeps(self):
        self.assert_silent("""
            centres = torch.randn(10, 16) * 2
            model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 8))
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
            error = nn.TripletMarginLoss(margin=1.0)
            for _ in range(200):
                own = torch.randint(0, 10, (64,))
                other = (own + torch.randint(1, 10, (64,))) % 10
                a, b, c = (model(centres[which] + 0.5 * torch.randn(64, 16)) for which in (own, own, other))
                optimizer.zero_grad()
                error(a, b, c).backward()
                optimizer.step()
        """)

    def test_a_finished_base_is_left_as_it_is(self):
        self.assert_silent("""
            x, y = blobs(300)
            base = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
            torch.save(base.state_dict(), "base.pt")
            base.load_state_dict(torch.load("base.pt"))
            head = nn.Linear(32, 4)
            optimizer = torch.optim.Adam(head.parameters(), lr=1e-2)
            for _ in range(10):
                for rows in torch.randperm(300).split(30):
                    optimizer.zero_grad()
                    F.cross_entropy(head(base(x[rows])), y[rows]).backward()
                    optimizer.step()
        """)

    def test_an_input_is_optimised_after_the_model(self):
        self.assert_silent("""
            x, y = blobs(300)
            model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))

            def train():
                optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
                for _ in range(10):
                    for rows in torch.randperm(300).split(30):
                        optimizer.zero_grad()
                        F.cross_entropy(model(x[rows]), y[rows]).backward()
                        optimizer.step()

            def attack():
                change = torch.zeros_like(x[:16], requires_grad=True)
                optimizer = torch.optim.Adam([change], lr=1e-2)
                for _ in range(40):
                    optimizer.zero_grad()
                    F.cross_entropy(model(x[:16] + change), (y[:16] + 1) % 4).backward()
                    optimizer.step()

            train()
            attack()
        """)


if __name__ == "__main__":
    unittest.main()
