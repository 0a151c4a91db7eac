"""From one short specification to the tree of a GitOps repository: ``build:`` of trainergen.yaml, or Python.

``spec`` is the form of the specification and the only module that knows pydantic; ``resolved`` is what it means.
The writers (``plain``, ``kustomize``, ``helm``, ``argocd``, ``flux``) are functions from resolved values to files.
"""
