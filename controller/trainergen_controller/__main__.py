"""``python -m trainergen_controller``."""

from trainergen_controller.cli import main

main()
