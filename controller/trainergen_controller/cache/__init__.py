"""A copy of what the API server holds, kept current by listing and watching."""

from trainergen_controller.cache.reflector import Reflector
from trainergen_controller.cache.store import Change, Key, Store

__all__ = ["Change", "Key", "Reflector", "Store"]
