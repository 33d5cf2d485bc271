"""The command line `obscuro`."""
