"""Numbers for Prometheus; labels are few and never a job's name, so that their count does not grow with the cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_PASS_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Metrics:
    """All metrics of one process, in a registry of their own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.passes = Counter(
            "trainergen_passes_total",
            "Passes over objects by kind and outcome.",
            ("kind", "outcome"),
            registry=registry,
        )
        self.seconds = Histogram(
            "trainergen_pass_seconds", "Time that a pass took.", ("kind",), registry=registry, buckets=_PASS_BUCKETS
        )
        self.requests = Counter(
            "trainergen_requests_total", "Requests to the API server, by verb.", ("verb",), registry=registry
        )
        self.findings = Gauge(
            "trainergen_findings", "What audit reports now.", ("namespace", "rule", "severity"), registry=registry
        )
        self.drifted = Gauge(
            "trainergen_drifted_jobsets", "JobSets that differ from their render.", ("namespace",), registry=registry
        )
        self.queue = Gauge("trainergen_queue_length", "Keys that wait for a worker.", registry=registry)
        self.delayed = Gauge("trainergen_queue_delayed", "Keys that wait for their time.", registry=registry)
        self.cached = Gauge("trainergen_cached_objects", "Objects in the cache.", ("kind",), registry=registry)
        self.leading = Gauge("trainergen_leading", "1 while this replica may write.", registry=registry)
        self.admissions = Counter(
            "trainergen_admissions_total",
            "Answers of the webhook.",
            ("kind", "operation", "verdict"),
            registry=registry,
        )
        self.reports = Counter(
            "trainergen_status_reports_total", "Answers to reports of training code.", ("code",), registry=registry
        )
        self.certificate = Gauge(
            "trainergen_certificate_expiry_seconds",
            "When the serving certificate of our own ends, in seconds since 1970.",
            registry=registry,
        )

    def watch_queue(self, ready: Callable[[], int], delayed: Callable[[], int]) -> None:
        """Reads the queue's lengths whenever somebody asks."""
        self.queue.set_function(ready)
        self.delayed.set_function(delayed)

    def watch_cache(self, lengths: Mapping[str, Callable[[], int]]) -> None:
        """Reads the sizes of the caches, by kind."""
        for kind, length in lengths.items():
            self.cached.labels(kind).set_function(length)

    def watch_leading(self, leading: Callable[[], bool]) -> None:
        """Reads whether this replica leads."""
        self.leading.set_function(lambda: float(leading()))

    def text(self) -> bytes:
        """The exposition format."""
        return generate_latest(self.registry)
