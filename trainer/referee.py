"""Answers questions with the nets of GNU Backgammon (`pip install gnubg-nn`), as an opponent and referee.

The men of a side are 25 numbers, for its own points 1 to 24 and the bar. The line `best D E men.. men..` has two
dice and the men of the side that has rolled, then of the other side; the answer is the men after the best play, in
the same order. The line `odds men.. men..` has the men of the side to roll first; the answer is its five
probabilities.
"""

import sys

import gnubg_nn


def main():
    plies = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    for line in sys.stdin:
        what, *words = line.split()
        numbers = [int(word) for word in words]
        if what == "best":
            own, other = numbers[2:27], numbers[27:]
            _, key, *_ = gnubg_nn.best_move([other, own], *numbers[:2], n=plies, b=1)
            own, other = gnubg_nn.board_from_position_key(key)
            answer = [*own, *other]
        else:
            own, other = numbers[:25], numbers[25:]
            answer = gnubg_nn.probabilities([other, own], plies)
        print(*answer, flush=True)


main()
