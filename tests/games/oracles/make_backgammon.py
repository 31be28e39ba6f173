#!/usr/bin/env python3
"""Makes backgammon.txt: positions with rolls and all results, from other programs.

A test compares our rules of Backgammon with this file. It was made by three
programs that share no code with ours, and checked by a plain enumerator below.

Versions of the committed file:

    Python       3.11.7
    gnubg-nn     1.1.0a11   (pip install gnubg-nn==1.1.0a11; GPL-3, run only)
    OpenSpiel    2.0.2      (pip install open_spiel==2.0.2; Apache-2.0)
    GNU Backgammon 1.07.001-1+b1 (apt-get install gnubg; GPL-3, run only)

    python3 -m venv venv
    venv/bin/pip install gnubg-nn==1.1.0a11 open_spiel==2.0.2
    venv/bin/python make_backgammon.py backgammon.txt

Options: --gnubg PATH (default /usr/games/gnubg), --perft (count the results
of one and of two moves from the start with the plain enumerator first; a
minute or two). All random choices come from the seeds below, so every run makes
the same file.

How a line is made:

1. Whole games are played. gnubg-nn plays some (best move at 0-ply, a random
   legal play, or a mix), OpenSpiel others. Each turn with a roll is a
   candidate.
2. Candidates are sorted into kinds (bar, bear-off, doubles, dance, forced
   partial play, ...), and some of each kind are drawn, so that rare kinds occur.
3. The source named in the line lists the results of that position and roll.
4. The results are compared with the plain enumerator; those of OpenSpiel and of
   GNU Backgammon also with gnubg-nn. A disagreement stops the run.

A board here is a pair (other, mover). Each is a list of 25 counts: index 0 is
the ace point as that player sees it, 23 the 24-point, 24 the bar.
"""

import argparse
import base64
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

import gnubg_nn
import pyspiel

SEED_NN = 20260101
SEED_CLI = 20260102
SEED_SPIEL = 20260103
SEED_PICK = 20260104

# ---------------------------------------------------------------- position IDs


def position_id(board):
    """Returns the GNU position ID, 14 characters: the bits of `other`, then `mover`."""
    bits = "".join("1" * n + "0" for side in board for n in side).ljust(80, "0")
    octets = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, 80, 8))
    return base64.b64encode(octets).decode()[:14]


def board_of(pid):
    """Returns the board of a position ID."""
    bits = "".join(f"{b:08b}"[::-1] for b in base64.b64decode(pid + "=="))
    counts, n = [], 0
    for bit in bits:
        if bit == "1":
            n += 1
        else:
            counts.append(n)
            n = 0
    return (tuple(counts[:25]), tuple(counts[25:50]))


def swapped(board):
    return (board[1], board[0])


# ------------------------------------------------- the plain Python enumerator


def step(board, src, die):
    """Returns the board after moving a checker from `src`, or None if that is illegal."""
    other, mover = board
    if mover[src] == 0 or (mover[24] and src != 24):
        return None
    dst = src - die
    if dst < 0:
        if any(mover[6:]):
            return None  # a checker outside the home board
        if dst < -1 and any(mover[src + 1 :]):
            return None  # a larger number bears off the farthest checker only
        hit = False
    else:
        if other[23 - dst] >= 2:
            return None
        hit = other[23 - dst] == 1
    mover = list(mover)
    mover[src] -= 1
    if dst >= 0:
        mover[dst] += 1
    if hit:
        other = list(other)
        other[23 - dst] = 0
        other[24] += 1
    return (tuple(other), tuple(mover))


def plays(board, roll):
    """Returns the boards reached by the largest sum of dice, and the dice used."""
    a, b = roll
    best = {}

    def walk(here, dice, used, count):
        best.setdefault((used, count), set()).add(here)
        for i, die in enumerate(dice):
            if die in dice[:i]:
                continue
            for src in range(25):
                after = step(here, src, die)
                if after is not None:
                    walk(after, dice[:i] + dice[i + 1 :], used + die, count + 1)

    walk(board, (a, a, a, a) if a == b else (a, b), 0, 0)
    top = max(best)
    return best[top], top[1]


def plain(board, roll):
    return frozenset(plays(board, roll)[0])


START = board_of("4HPwATDgc/ABMA")
ROLLS = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]


def perft(board, depth):
    if depth == 0:
        return 1
    return sum(perft(swapped(r), depth - 1) for roll in ROLLS for r in plain(board, roll))


def random_roll(rng):
    a, b = rng.randint(1, 6), rng.randint(1, 6)
    return (max(a, b), min(a, b))


# -------------------------------------------------------------------- gnubg-nn


def lists(board):
    return [list(board[0]), list(board[1])]


def nn_results(board, roll):
    """Returns all results listed by gnubg-nn; after a dance, the unchanged board."""
    keys = gnubg_nn.moves(lists(board), roll[0], roll[1])
    boards = [gnubg_nn.board_from_position_key(k) for k in keys]
    return frozenset((tuple(o), tuple(m)) for o, m in boards) or frozenset([board])


def nn_best(board, roll):
    """Returns the result of gnubg-nn's best play at 0-ply."""
    moves = gnubg_nn.best_move(lists(board), roll[0], roll[1], 0)
    other, mover = list(board[0]), list(board[1])
    for src, dst in moves:
        mover[src - 1] -= 1
        if dst > 0:
            mover[dst - 1] += 1
            if other[24 - dst]:
                other[24 - dst] = 0
                other[24] += 1
    return (tuple(other), tuple(mover))


def choose(rng, board, roll, results, randomness):
    """Chooses the best play, or with the given probability a random play."""
    if len(results) == 1:
        return next(iter(results))
    if rng.random() < randomness:
        return rng.choice(sorted(results))
    best = nn_best(board, roll)
    assert best in results, (position_id(board), roll)
    return best


def nn_games(seed, games):
    """Plays games; yields each (board, roll)."""
    rng = random.Random(seed)
    for game in range(games):
        randomness = [(0, 0), (0.2, 0.2), (0, 1), (1, 1), (0.5, 0.1)][game % 5]
        board, turn = START, 0
        while any(board[0]) and any(board[1]):
            roll = random_roll(rng)
            yield (board, roll)
            results = nn_results(board, roll)
            board = swapped(choose(rng, board, roll, results, randomness[turn]))
            turn = 1 - turn


# ------------------------------------------------------------------- OpenSpiel


def spiel_board(state, player):
    """Returns OpenSpiel's board with `player` (0 is x, 1 is o) as the mover."""

    def side(who):
        order = range(23, -1, -1) if who == 0 else range(24)
        return tuple(state.board(who, i) for i in order) + (state.board(who, 100),)

    return (side(1 - player), side(player))


def spiel_paths(state):
    """Returns the roll, and {result: actions}; a double is two turns in OpenSpiel."""
    player = state.current_player()
    text = str(state)
    dice = text[text.index("Dice:") + 5 :].split()[0]
    found = {}

    def walk(here, actions):
        for action in here.legal_actions():
            after = here.child(action)
            path = actions + [action]
            again = (
                not actions
                and dice[0] == dice[1]
                and not after.is_terminal()
                and not after.is_chance_node()
            )
            if again:
                assert after.current_player() == player
                walk(after, path)
            else:
                found.setdefault(spiel_board(after, player), path)

    walk(state, [])
    roll = tuple(sorted((int(dice[0]), int(dice[1])), reverse=True))
    return roll, found


def spiel_games(seed, games):
    """Plays games in OpenSpiel; yields each (board, roll, results)."""
    rng = random.Random(seed)
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    for number in range(games):
        randomness = [(0, 0), (0.2, 0.2), (0, 1), (1, 1)][number % 4]
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                pick = rng.choices(outcomes, [p for _, p in outcomes])[0][0]
                state.apply_action(pick)
                continue
            player = state.current_player()
            board = spiel_board(state, player)
            roll, found = spiel_paths(state)
            yield (board, roll, frozenset(found))
            result = choose(rng, board, roll, frozenset(found), randomness[player])
            for action in found[result]:
                state.apply_action(action)


# -------------------------------------------------------------- GNU Backgammon

INSIDE_GNUBG = r'''
# Runs in the Python that GNU Backgammon embeds. For each position and roll:
# asks for the list of plays (hint 500), makes each of them, and reads the
# position that GNU Backgammon shows afterwards (the other player is on roll).
import gnubg, json, os
def fresh():
    gnubg.command("new session")
for line in ["set output output off", "set automatic game off",
             "set automatic roll off", "set automatic move off",
             "set automatic bearoff off", "set player 0 human",
             "set player 1 human", "set confirm new off",
             "set evaluation chequerplay evaluation plies 0"]:
    gnubg.command(line)
fresh()
def put(pid, roll):
    if gnubg.posinfo()["gamestate"] != 1:
        fresh()
    gnubg.command("set turn 1")
    gnubg.command("set board " + pid)
    gnubg.command("set dice %d %d" % tuple(roll))
    assert gnubg.positionid() == pid, (gnubg.positionid(), pid)
    assert sorted(gnubg.posinfo()["dice"]) == sorted(roll)
answers = []
for pid, roll in json.load(open(os.environ["ORACLE_IN"])):
    put(pid, roll)
    moves = [h["move"] for h in (gnubg.hint(500).get("hint") or [])]
    boards = []
    for move in moves:
        put(pid, roll)
        gnubg.command("move " + move)
        boards.append(gnubg.board())
        over = gnubg.posinfo()["gamestate"] != 1
        assert over or gnubg.posinfo()["turn"] == 0, (pid, roll, move)
    answers.append((moves, boards))
json.dump(answers, open(os.environ["ORACLE_OUT"], "w"))
'''


def cli_results(gnubg, cases):
    """Returns the results of each (board, roll) that GNU Backgammon shows."""
    with tempfile.TemporaryDirectory() as home:
        script = os.path.join(home, "inside.py")
        with open(script, "w") as f:
            f.write(INSIDE_GNUBG)
        paths = os.path.join(home, "in.json"), os.path.join(home, "out.json")
        with open(paths[0], "w") as f:
            json.dump([(position_id(b), r) for b, r in cases], f)
        env = dict(os.environ, HOME=home, LC_ALL="C.UTF-8")
        env.update(ORACLE_IN=paths[0], ORACLE_OUT=paths[1])
        env.pop("DISPLAY", None)
        subprocess.run(
            [gnubg, "-t", "-q", "-r", "-p", script],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            timeout=1800,
            check=True,
        )
        with open(paths[1]) as f:
            answers = json.load(f)
    found = []
    for (board, _), (_, boards) in zip(cases, answers):
        results = set()
        for pair in boards:
            one, two = (tuple(side) for side in pair)
            # The other player is now on roll and comes second, so swap back;
            # once the game is over nobody is on roll and the turn stays.
            results.add((one, two) if sum(two) == 0 else (two, one))
        assert len(results) == len(boards)
        found.append(frozenset(results) or frozenset([board]))
    return found


# --------------------------------------------------------------------- picking


def kinds(board, roll):
    """Returns the kinds of a position with its roll."""
    results, used = plays(board, roll)
    full = 4 if roll[0] == roll[1] else 2
    names = []
    if used == 0:
        names.append("dance")
    elif used < full:
        names.append("partial")
        if used == 1 and full == 2 and not board[1][24]:
            names.append("one die, no bar")
    if board[1][24] == 1:
        names.append("bar 1")
    if board[1][24] >= 2:
        names.append("bar 2+")
    if board[1][24] >= 3:
        names.append("bar 3+")
    if any(sum(r[1]) < sum(board[1]) for r in results):
        names.append("bear-off")
    if any(not any(r[1]) for r in results):
        names.append("last checker")
    if roll[0] == roll[1]:
        names.append("double")
    if len(results) > 60:
        names.append("many")
    return names or ["plain"]


def pick(cases, quotas, total, most):
    """Draws `total` cases: first each kind's quota, then at random.

    To keep the file small, only the quota of "many" has more than `most` results."""
    rng = random.Random(SEED_PICK)
    order = list(range(len(cases)))
    rng.shuffle(order)
    named = [kinds(case[0], case[1]) for case in cases]
    counts = [len(plain(case[0], case[1])) for case in cases]
    taken, have = set(), collections.Counter()

    def take(i):
        taken.add(i)
        have.update(named[i])

    for kind, quota in quotas:
        for i in order:
            if have[kind] >= quota:
                break
            small = counts[i] <= most or kind == "many"
            if i not in taken and kind in named[i] and small:
                take(i)
    for i in order:
        if len(taken) >= total:
            break
        if i not in taken and counts[i] <= most:
            take(i)
    return [cases[i] for i in sorted(taken)]


def shares(parts):
    """Scales the quotas of rare kinds."""
    base = [
        ("dance", 120), ("one die, no bar", 120), ("partial", 250),
        ("last checker", 60), ("bar 3+", 100), ("bar 2+", 200), ("bar 1", 400),
        ("bear-off", 700), ("double", 600), ("many", 45),
    ]
    return [(kind, max(3, round(n * parts))) for kind, n in base]


def distinct(cases):
    """Drops repeated (board, roll) pairs."""
    seen, kept = set(), []
    for case in cases:
        if case[:2] not in seen:
            seen.add(case[:2])
            kept.append(case)
    return kept


# ------------------------------------------------------------------------ main


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--gnubg", default="/usr/games/gnubg")
    parser.add_argument("--perft", action="store_true")
    args = parser.parse_args()

    if args.perft:
        counts = perft(START, 1), perft(START, 2)
        print("plain enumerator, results after one and two moves:", *counts)
        assert counts == (447, 202782)

    bad, compared = [], collections.Counter()

    def agree(what, board, roll, one, two):
        compared[what] += 1
        if one != two:
            bad.append(what)
            print("DISAGREE", what, position_id(board), roll, file=sys.stderr)
            print("  only first ", sorted(map(position_id, one - two)), file=sys.stderr)
            print("  only second", sorted(map(position_id, two - one)), file=sys.stderr)

    # Every position of every game is compared, not only those drawn.
    lines = []
    nn = distinct(nn_games(SEED_NN, 250))
    print("gnubg-nn candidates", len(nn))
    for board, roll in nn:
        agree("gnubg-nn/plain", board, roll, nn_results(board, roll), plain(board, roll))
    for board, roll in pick(nn, shares(1.0), 4100, 60):
        lines.append(("gnubg-nn", board, roll, nn_results(board, roll)))
    print("gnubg-nn done")

    spiel = distinct(spiel_games(SEED_SPIEL, 60))
    print("OpenSpiel candidates", len(spiel))
    for board, roll, results in spiel:
        agree("openspiel/plain", board, roll, results, plain(board, roll))
        agree("openspiel/gnubg-nn", board, roll, results, nn_results(board, roll))
    for board, roll, results in pick(spiel, shares(0.25), 1100, 60):
        lines.append(("openspiel", board, roll, results))
    print("OpenSpiel done")

    cases = pick(distinct(nn_games(SEED_CLI, 60)), shares(0.12), 420, 60)
    for (board, roll), results in zip(cases, cli_results(args.gnubg, cases)):
        agree("gnubg/plain", board, roll, results, plain(board, roll))
        agree("gnubg/gnubg-nn", board, roll, results, nn_results(board, roll))
        lines.append(("gnubg", board, roll, results))

    totals = collections.Counter(line[0] for line in lines)
    named = collections.Counter(k for line in lines for k in kinds(line[1], line[2]))
    for text in (totals, compared, named):
        print(dict(text))
    if bad:
        sys.exit(f"{len(bad)} disagreements")

    with open(args.out, "w") as f:
        f.write(HEADER.format(
            lines=len(lines),
            results=sum(len(line[3]) for line in lines),
            kinds=wrapped(named),
            seeds=(SEED_NN, SEED_SPIEL, SEED_CLI, SEED_PICK),
            nn=totals["gnubg-nn"],
            spiel=totals["openspiel"],
            cli=totals["gnubg"],
            c_nn=compared["gnubg-nn/plain"],
            c_spiel=compared["openspiel/plain"],
            c_spiel_nn=compared["openspiel/gnubg-nn"],
            c_cli=compared["gnubg/plain"],
            c_cli_nn=compared["gnubg/gnubg-nn"],
        ))
        for source, board, roll, results in lines:
            assert all(board_of(position_id(r)) == r for r in results)
            ids = sorted(map(position_id, results))
            roll = "%d%d" % roll
            print(source, position_id(board), roll, len(ids), "".join(ids), file=f)


def wrapped(named):
    return "\n".join(f"#   {kind:16} {n}" for kind, n in named.most_common())


HEADER = """\
# Backgammon: positions with a roll, and the complete set of results.
#
# One line a position: <source> <posid> <roll> <n> <results>
#   source   the program that listed the results: gnubg-nn, openspiel or gnubg
#   posid    the GNU position ID (14 characters), the player to move on roll:
#            the bits hold first the checkers of the player NOT on roll, then
#            those of the player ON roll, each from the own ace point up to the
#            24-point and the bar. The start is 4HPwATDgc/ABMA.
#   roll     two digits, the larger first
#   n        the number of distinct results
#   results  the n position IDs, sorted by their ASCII codes, without separators.
#            The mover is still on roll in them: nothing is swapped.
# A dance (no legal play) has n = 1 and the unchanged position. No game is over
# in a position; it may be in a result (the mover has no checkers there).
#
# {lines} positions, {results} results. Of the kinds (a position may be of several):
{kinds}
# "partial": not all of the dice can be played; "one die, no bar": one of two
# different dice can be played, nothing on the bar; "last checker": the roll
# can end the game; "bar": the mover's checkers there; "many": over 60 results.
#
# Sources, run as programs; what they printed are facts about the game's rules:
#   gnubg-nn {nn} lines. Package gnubg-nn 1.1.0a11 (PyPI, GPL-3), its moves(). Games
#     played by it too: best at 0-ply, random, or mixed. Seed {seeds[0]}.
#   openspiel {spiel} lines. Package open_spiel 2.0.2 (PyPI, Apache-2.0), game
#     backgammon(scoring_type=full_scoring); a double is two of its turns, put
#     together here. Games played in it. Seed {seeds[1]}.
#   gnubg {cli} lines. GNU Backgammon 1.07.001 (Debian 1.07.001-1+b1, GPL-3): `set
#     board`, `set dice`, `hint 500`, then each play made with `move` and the
#     position read. Positions from games as for gnubg-nn. Seed {seeds[2]}.
#   Positions were drawn from those games with seed {seeds[3]}.
#
# Compared while making this file, all equal:
#   gnubg-nn with a plain enumerator in Python    {c_nn} positions
#   openspiel with the plain enumerator           {c_spiel} positions
#   openspiel with gnubg-nn                       {c_spiel_nn} positions
#   gnubg with the plain enumerator               {c_cli} positions
#   gnubg with gnubg-nn                           {c_cli_nn} positions
# The plain enumerator (make_backgammon.py) also counts 447 results of one move
# and 202782 of two from the start (each of the 21 rolls, results made distinct
# for each roll).
#
# Made by: python make_backgammon.py --perft backgammon.txt
# (see its docstring for the packages).
"""


if __name__ == "__main__":
    main()
