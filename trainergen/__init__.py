"""trainergen: GitOps manifest generator and validation toolkit for Kubeflow Trainer."""

__version__ = "0.1.0"
