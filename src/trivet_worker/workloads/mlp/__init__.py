"""The mlp workload."""
