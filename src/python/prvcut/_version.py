"""The version: of the library, too."""

__version__ = "1.0.0"
