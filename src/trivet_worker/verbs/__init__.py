"""What a worker can be asked to do, a file per kind of work. `trivet_worker.serve` lists them by name."""
