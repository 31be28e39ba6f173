"""Plays random games of Backgammon in OpenSpiel, for `cargo bench --bench races`.

    python3 benches/openspiel.py [GAMES]

Prints games a second, for a loop in Python. Needs the package open_spiel 2.0.2 (PyPI, Apache-2.0), in which
a double is two turns.
"""

import random
import sys
import time

import pyspiel

games = int(sys.argv[1]) if len(sys.argv) > 1 else 500
chance = random.Random(1)
backgammon = pyspiel.load_game("backgammon")
began = time.perf_counter()
for _ in range(games):
    state = backgammon.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            rolls, odds = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(rolls, odds)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
print(games / (time.perf_counter() - began))
