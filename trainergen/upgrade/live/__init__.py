"""The audit of a running cluster: what an upgrade meets there, read and never written."""

from trainergen.upgrade.live.audit import read_cluster
from trainergen.upgrade.live.reader import ClusterReader, ReadError, Resource
from trainergen.upgrade.live.report import LiveAudit

__all__ = ["ClusterReader", "LiveAudit", "ReadError", "Resource", "read_cluster"]
