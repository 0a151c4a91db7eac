"""The Pods that the JobSet controller and the Job controller would make of a rendered TrainJob.

Start at ``expand``. Like the renderer it is pure, and it shows each kind of Pod once: equal Pods differ in their
indexes, which names and addresses follow from.
"""

from trainergen.render.pods.containers import ContainerView, Mount, Port
from trainergen.render.pods.env import EnvFrom, EnvVar, Former
from trainergen.render.pods.expand import expand
from trainergen.render.pods.model import Gang, HostFile, JobPods, Limits, PodKind, Scheduling, VolumeView

__all__ = [
    "ContainerView",
    "EnvFrom",
    "EnvVar",
    "Former",
    "Gang",
    "HostFile",
    "JobPods",
    "Limits",
    "Mount",
    "PodKind",
    "Port",
    "Scheduling",
    "VolumeView",
    "expand",
]
