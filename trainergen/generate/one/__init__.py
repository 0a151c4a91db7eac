"""One good manifest from a few choices: what ``trainergen new`` writes.

The choices are those of a specification, and what becomes of them is decided where a specification is resolved.
"""
