"""``python -m trainergen``."""

from trainergen.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
