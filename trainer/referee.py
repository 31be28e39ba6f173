"""An opponent and a referee: the nets of GNU Backgammon, by `pip install gnubg-nn`.

Each line that is read has two dice, then the men on the points 1 to 24 and the bar of the side that has
rolled, then those of the other, each by its own points. `best D E men.. men..` is answered by the men
after the best play, those of the side that has rolled first. `odds men.. men..` is answered by the five
probabilities of the side that is to roll.
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
