"""PyTorch, as written and under torch.compile."""
