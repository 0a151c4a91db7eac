"""Rendered objects for people: YAML whose lines know their paths, where each line comes from, and the Pods as text."""
