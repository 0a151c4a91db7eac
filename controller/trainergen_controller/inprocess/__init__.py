"""An API server in one process; see ``server``."""

from trainergen_controller.inprocess.faults import Faults
from trainergen_controller.inprocess.server import InProcessServer

__all__ = ["Faults", "InProcessServer"]
