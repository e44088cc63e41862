"""trivet: PyTorch, TensorFlow or JAX? The same training in all three, proven equal, timed honestly.

The coordinator. It never imports a framework; the code that does is `trivet_worker`, which runs in each framework's
own environment.
"""

__version__ = "0.1.0"
