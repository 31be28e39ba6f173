"""Times the best plays of GNU Backgammon's nets, for `cargo bench --bench bots`.

Each line of standard input has two dice, then the men of the side that has rolled on its points 1 to 24 and
the bar, then those of the other side on its own points. Prints the seconds for all plays: a loop in Python
over C++ code. Needs the package gnubg-nn (PyPI, GPL).
"""

import sys
import time

import gnubg_nn

rolls = []
for line in sys.stdin:
    numbers = [int(word) for word in line.split()]
    rolls.append((numbers[:2], [numbers[27:], numbers[2:27]]))
for dice, board in rolls[:100]:
    gnubg_nn.best_move(board, *dice, n=0)
began = time.perf_counter()
for dice, board in rolls:
    gnubg_nn.best_move(board, *dice, n=0)
print(time.perf_counter() - began)
