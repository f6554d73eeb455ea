"""The version: of the library, too."""

__version__ = "0.1.0"
