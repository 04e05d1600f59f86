"""The constants of a MiRo's platform that programs use, by their published names and numbers."""

from .miro import *  # noqa: F403
