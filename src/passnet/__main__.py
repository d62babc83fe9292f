"""`python -m passnet`: the command line."""

from passnet.cli.main import main

if __name__ == "__main__":
    main()
