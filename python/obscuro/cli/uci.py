"""`obscuro uci`: the engine, spoken to in lines."""


def uci() -> int:
    """Speak the engine protocol on standard input and output, as chess programs do."""
    from obscuro.protocol.loop import serve

    return serve()
