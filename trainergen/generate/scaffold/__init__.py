"""The first files of a repository: what ``trainergen init`` writes, and never writes over.

``starting`` says which files, ``specification`` and ``automation`` what is in them.
"""
