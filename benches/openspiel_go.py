"""Plays random games of Go on nine by nine points in OpenSpiel, for `cargo bench --bench speedgo`.

    python3 benches/openspiel_go.py [GAMES]

Prints games a second and moves a game. Needs the package open_spiel 2.0.2 (PyPI, Apache-2.0). The timed games
are played in C++: a Monte Carlo bot makes one simulation, whose evaluator plays GAMES rollouts from the start
with random legal moves, passes included. Moves are counted in an untimed loop in Python.
"""

import random
import sys
import time

import pyspiel

games = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
go = pyspiel.load_game("go(board_size=9)")
start = go.new_initial_state()
rollouts = pyspiel.RandomRolloutEvaluator(games, 1)
bot = pyspiel.MCTSBot(go, rollouts, 1.0, 1, 1000, False, 1, False)
began = time.process_time()
bot.mcts_search(start)
spent = time.process_time() - began

chance = random.Random(1)
moves = 0
for _ in range(50):
    state = go.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        moves += 1
print(games / spent, moves / 50)
