"""A folder per framework: framework.toml, pins.toml and adapter.py."""
