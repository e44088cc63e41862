"""A folder per workload family; README.md says what is in one."""
