"""Mistakes to write into a copy of the staged code: the native models and the programs that train them.

Each is one that people make when they carry a model over, or a default of the framework that they forget.
"""

from __future__ import annotations

from planted_faults import layers, training, transformer, updates, windows
from planted_faults.fault import BASE_VARIANTS, COMPILED_VARIANTS, FULL_ONLY, SIZES, Edit, Fault, plant

FAULTS = (*layers.FAULTS, *windows.FAULTS, *training.FAULTS, *updates.FAULTS, *transformer.FAULTS)

__all__ = ["BASE_VARIANTS", "COMPILED_VARIANTS", "FAULTS", "FULL_ONLY", "SIZES", "Edit", "Fault", "plant"]
