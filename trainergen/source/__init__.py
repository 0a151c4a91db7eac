"""Reading: files to documents with values as the API server types them, and the place of everything in them."""

from __future__ import annotations

from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.classify import Category, Classification, classify, mentions_trainer
from trainergen.source.discovery import Discovery, discover
from trainergen.source.document import Document, Position
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.limits import DEFAULT_LIMITS, Limits
from trainergen.source.lists import members
from trainergen.source.load import Loaded, load
from trainergen.source.reader import Failure, ReadResult, read_documents

__all__ = [
    "DEFAULT_LIMITS",
    "INPUT_CHECKS",
    "Category",
    "Classification",
    "Discovery",
    "Document",
    "Failure",
    "Limits",
    "Loaded",
    "Position",
    "ReadResult",
    "SourceFile",
    "UnreadableError",
    "classify",
    "discover",
    "load",
    "members",
    "mentions_trainer",
    "read_documents",
]
