"""The command `passnet`, also as `python -m passnet`. It hears signals before it imports what they could break."""

from __future__ import annotations

import sys

from passnet.cli import interrupts


def main() -> None:
    """Entry point. Ctrl-C and SIGTERM end it with one line and status 130 from here on."""
    interrupts.listen()
    try:
        from passnet.cli.main import main as command

        command()
    except KeyboardInterrupt:
        from passnet.cli import failures

        failures.interrupted()
        sys.exit(failures.INTERRUPTED)


if __name__ == "__main__":
    main()
