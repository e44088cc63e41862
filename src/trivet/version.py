"""The version of trivet. A module of its own, so that whoever needs it does not import the package's front."""

__version__ = "0.1.0"
