"""`python -m obscuro.cli` is the same as `obscuro`."""

from obscuro.cli.main import main

if __name__ == "__main__":
    main()
