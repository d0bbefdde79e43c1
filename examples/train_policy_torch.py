"""Learn as train_policy.py does, with a convolutional net of PyTorch.

python examples/train_policy_torch.py [--seconds 600] [--seed 1] [--device cuda]
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, mse_loss

from reversi import Rules, parse_rules
from reversi.arrays import PositionArray
from train_policy import Board, Floats, Lessons, alone, score, searching, train


class Residual(nn.Module):
    """Two convolutions beside a direct way."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
        )

    def forward(self, seen: Tensor) -> Tensor:
        return torch.relu(seen + self.layers(seen))


class TorchNet(nn.Module):
    """A net as `train` wants it: an evaluation that learns."""

    def __init__(self, rules: Rules, channels: int = 64, blocks: int = 4, device: str = "cpu") -> None:
        super().__init__()
        self.board, self.shape, self.device = Board(rules), tuple(rules.board), device
        self.body = nn.Sequential(
            nn.Conv2d(3, channels, 3, padding=1),
            nn.ReLU(),
            *(Residual(channels) for _ in range(blocks)),
            nn.Flatten(),
            nn.Linear(channels * self.board.cells, self.board.cells + 2),
        )
        self.to(device)
        self.optimizer = torch.optim.AdamW(self.parameters(), weight_decay=1e-4)

    def forward(self, seen: Floats) -> Tensor:
        """Return the logits and then the value, shape ``(n, cells + 2)``."""
        planes = torch.from_numpy(np.ascontiguousarray(seen)).to(self.device)
        return self.body(planes.reshape(-1, 3, *self.shape))

    def __call__(self, batch: PositionArray) -> tuple[Floats, Floats]:
        with torch.inference_mode():
            out: Floats = self.forward(self.board.seen(batch)).cpu().numpy()
        return self.board.cells * np.tanh(out[:, -1]), self.board.logits(out[:, :-1])

    def learn(self, lessons: Lessons, rate: float) -> None:
        """Take one step towards what these positions teach."""
        policy, value = (torch.from_numpy(given).to(self.device) for given in lessons[1:])
        out = self.forward(lessons.seen)
        loss = cross_entropy(out[:, :-1], policy) + 4 * mse_loss(torch.tanh(out[:, -1]), value)
        self.optimizer.param_groups[0]["lr"] = rate
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main() -> None:
    """Train, and print what it was good for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", type=parse_rules, default=parse_rules("othello,board=6x6"))
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    net = TorchNet(options.rules, device=options.device)
    train(net, options.rules, options.seconds, options.seed, count=256)
    for name, player in (("alone", alone(net)), ("searching", searching(net))):
        print(f"{name}: {score(player, options.rules, 200):.1%} of 200 games against level 1")


if __name__ == "__main__":
    main()
