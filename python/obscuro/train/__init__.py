"""Training networks."""
