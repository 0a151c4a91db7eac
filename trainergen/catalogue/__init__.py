"""The catalogue of ready runtimes: what each release ships, and our hardened recipes, as typed definitions.

``shipped`` and ``recipes`` hold one small file for each; ``files`` makes ``runtimes/`` and ``schemas/*/runtimes.json``
of them. Admission and the renderer read only the latter, through ``trainergen.releases.catalogue``.
"""
