"""The rotation of rigid bodies under torque."""

from ._quatint import __version__

__all__ = ["__version__"]
