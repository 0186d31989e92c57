"""Save a small model of every kind of layer, and a checkpoint that holds it."""

import io
import os

import torch
from torch import nn

torch.manual_seed(0)
model = nn.ModuleDict({
    "conv": nn.Conv2d(3, 8, 3), "same": nn.Conv2d(8, 8, 3), "norm": nn.BatchNorm2d(8),
    "hidden": nn.Linear(32, 20), "square": nn.Linear(20, 20), "other": nn.Linear(20, 20),
    "embedding": nn.Embedding(50, 6), "lstm": nn.LSTM(6, 5), "output": nn.Linear(20, 4),
})
model["norm"].running_mean += 1.5
model["norm"].running_var *= 2
nn.init.normal_(model["norm"].weight)
data = io.BytesIO()
torch.save({"epoch": 3, "model_state_dict": model.state_dict()}, data)
with os.fdopen(int(os.environ["FAULTLINE_RESULT_FD"]), "wb") as result:
    result.write(data.getvalue())
