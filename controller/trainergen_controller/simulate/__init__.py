"""The life of a TrainJob without a cluster: the controller's own passes, on an API server in this process."""

from trainergen_controller.simulate.scenarios import SCENARIOS, Scenario
from trainergen_controller.simulate.simulation import Simulation, simulate

__all__ = ["SCENARIOS", "Scenario", "Simulation", "simulate"]
