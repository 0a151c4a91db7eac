"""Reading: files to documents with values as the API server types them, and the place of everything in them."""

from __future__ import annotations

from trainergen.source.document import Document, Position
from trainergen.source.limits import DEFAULT_LIMITS, Limits
from trainergen.source.reader import Failure, ReadResult, read_documents

__all__ = ["DEFAULT_LIMITS", "Document", "Failure", "Limits", "Position", "ReadResult", "read_documents"]
