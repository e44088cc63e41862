"""The training loop of the PyTorch tutorial "Optimizing Model Parameters"."""

import time

import data
import torch
import torch.nn.functional as F
from model import Net


# VARIANT
def loss_of(model, images, labels):
    logits = model(images)
    loss = F.cross_entropy(logits, labels)
    return loss


def train_step(model, optimizer, images, labels):
    loss = loss_of(model, images, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def evaluate(model, images, labels):
    model.eval()
    with torch.no_grad():
        logits = model(images)
        loss = F.cross_entropy(logits, labels)
        correct = (logits.argmax(dim=1) == labels).float().mean()
    return loss, correct


def main():
    torch.manual_seed(0)
    train_images, train_labels, test_images, test_labels = data.load()
    model = Net(data.FEATURES, data.HIDDEN, data.CLASSES)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    print("training")
    model.train()
    for images, labels in data.batches(train_images, train_labels):
        started = time.perf_counter()
        loss = train_step(model, optimizer, torch.from_numpy(images), torch.from_numpy(labels))
        print(f"loss {loss.item():.6f} in {1000 * (time.perf_counter() - started):.2f} ms")

    loss, correct = evaluate(model, torch.from_numpy(test_images), torch.from_numpy(test_labels))
    print(f"held out: loss {loss.item():.6f}, correct {correct.item():.4f}")


if __name__ == "__main__":
    main()
