"""The linear workload."""
