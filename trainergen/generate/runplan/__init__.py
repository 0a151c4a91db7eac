"""A small copy of a TrainJob on one machine, without Kubernetes: command lines and environment of each node.

Start at ``making.plan_of``. The numbers are changed in the TrainJob and it is rendered anew, so that everything that
follows from them is the renderer's; here only addresses, paths and what a machine lacks are dealt with.
"""
