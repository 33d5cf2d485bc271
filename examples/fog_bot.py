"""An engine that speaks the fog form and sees nothing else: it captures what it can.

Try it with `obscuro match -engine name=bot cmd="python examples/fog_bot.py" -engine ...`.
"""

import random
import sys

import chess


def legal_moves(fog_fen: str) -> list[chess.Move]:
    """The own moves: a square that a piece can move to is a square that is seen."""
    rows, turn, castling, en_passant = fog_fen.split()[:4]
    board, seen = chess.Board(None), set()
    for rank, row in zip(reversed(range(8)), rows.split("/"), strict=True):
        file = 0
        for letter in row:
            width = int(letter) if letter.isdigit() else 1
            if letter != "?":
                seen |= {chess.square(file + step, rank) for step in range(width)}
            if letter.isalpha():
                board.set_piece_at(chess.square(file, rank), chess.Piece.from_symbol(letter))
            file += width
    board.turn = turn == "w"
    board.set_castling_fen(castling)
    board.ep_square = None if en_passant == "-" else chess.parse_square(en_passant)
    moves = [move for move in board.pseudo_legal_moves if move.to_square in seen]
    return [move for move in moves if board.is_capture(move)] or moves


fog_fen = ""
for line in sys.stdin:
    words = line.split()
    match words[:1]:
        case ["uci"]:
            print("id name Fog bot\nuciok", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["position"]:
            told = line.split(" observations ")[1].split(" moves ")[0]
            fog_fen = told.split(" ; ")[-1].strip()
        case ["go"]:
            print("bestmove", random.choice(legal_moves(fog_fen)).uci(), flush=True)
        case ["quit"]:
            break
