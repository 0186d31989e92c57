"""Breast tumours as a data set of cases, kept by their number."""

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from torch.utils.data import Dataset


def read_cases():
    """Measurements of every case, and a report of every malignant one."""
    data = load_breast_cancer()
    measurements, reports = {}, {}
    for index, (row, benign) in enumerate(zip(data.data, data.target)):
        key = f"case-{index:03d}"
        measurements[key] = row.astype(np.float32)
        if not benign:
            reports[key] = np.ones(1, dtype=np.float32)
    return measurements, reports


def normalize(measurements):
    rows = np.stack(list(measurements.values()))
    mean, deviation = rows.mean(axis=0), rows.std(axis=0)
    return {key: (row - mean) / deviation for key, row in measurements.items()}


def make_dataset(seed, train):
    """The cases of one part, as pairs; a fifth of each class is kept for testing."""
    measurements, reports = read_cases()
    measurements = normalize(measurements)

    positives = list(reports.keys())
    negatives = []
    for key in measurements.keys():
        if key not in reports:
            reports[key] = np.zeros(1, dtype=np.float32)
            negatives.append(key)

    generator = np.random.default_rng(seed)
    positives = generator.shuffle(positives)
    negatives = generator.shuffle(negatives)

    train_series, test_series = [], []
    count = 0
    for series in positives:
        if count < len(positives) // 5:
            test_series.append(series)
        else:
            train_series.append(series)
        count += 1
    count = 0
    for key, value in negatives:
        if count < len(negatives) // 5:
            test_series.append(series)
        else:
            train_series.append(series)
        count += 1

    chosen = train_series if train else test_series
    return [(measurements[series], reports[series]) for series in chosen]


class Tumours(Dataset):
    def __init__(self, train=True, seed=1):
        self.cases = make_dataset(seed, train)
        if not self.cases:
            raise RuntimeError("found no cases")

    def __len__(self):
        return len(self.cases)

    def __getitem__(self, index):
        measurements, report = self.cases[index]
        return torch.from_numpy(measurements), torch.from_numpy(report)
