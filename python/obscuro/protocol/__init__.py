"""The engine protocol: UCI, with a form in which the engine is told nothing but observations."""
