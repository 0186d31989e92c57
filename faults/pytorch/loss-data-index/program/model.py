"""Gated graph neural network: node selection on graphs with typed edges."""

import torch
from torch import nn


class Propagator(nn.Module):
    """One round of messages along the edges, merged by a gated recurrent unit."""

    def __init__(self, state_dim, edge_types):
        super().__init__()
        self.incoming = nn.ModuleList(nn.Linear(state_dim, state_dim) for _ in range(edge_types))
        self.outgoing = nn.ModuleList(nn.Linear(state_dim, state_dim) for _ in range(edge_types))
        self.update = nn.GRUCell(2 * state_dim, state_dim)

    def forward(self, state, adjacency):
        batch, nodes, dim = state.shape
        received = sum(
            adjacency[:, kind].transpose(1, 2) @ layer(state) for kind, layer in enumerate(self.incoming)
        )
        returned = sum(adjacency[:, kind] @ layer(state) for kind, layer in enumerate(self.outgoing))
        messages = torch.cat([received, returned], dim=-1)
        merged = self.update(messages.view(batch * nodes, -1), state.reshape(batch * nodes, -1))
        return merged.view(batch, nodes, dim)


class GGNN(nn.Module):
    def __init__(self, state_dim=16, annotation_dim=1, edge_types=2, steps=3):
        super().__init__()
        self.state_dim = state_dim
        self.steps = steps
        self.propagator = Propagator(state_dim, edge_types)
        self.out = nn.Sequential(
            nn.Linear(state_dim + annotation_dim, state_dim), nn.Tanh(), nn.Linear(state_dim, 1)
        )

    def forward(self, annotation, adjacency):
        padding = annotation.new_zeros(*annotation.shape[:2], self.state_dim - annotation.shape[-1])
        state = torch.cat([annotation, padding], dim=-1)
        for _ in range(self.steps):
            state = self.propagator(state, adjacency)
        return self.out(torch.cat([state, annotation], dim=-1)).squeeze(-1)
