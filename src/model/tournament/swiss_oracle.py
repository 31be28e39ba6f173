#!/usr/bin/env python3
"""Writes Swiss tournaments that `caissify-pairings` 0.5.0 has paired (FIDE Dutch system).

A line is a tournament: the number of players, who are seeded 1, 2, 3 ..., then its rounds, separated
by `|`. A round is a list of games such as `1-4=`: first player, second player, and the result of the
first (`1`, `0` or `=`); `7` alone is a bye.

    pip install caissify-pairings==0.5.0
    python3 swiss_oracle.py > swiss_oracle.txt
"""

import random

from caissify_pairings.engines.dutch import DutchEngine

random.seed(36)


def tournament(players, rounds):
    people = [
        {
            "id": n,
            "name": f"p{n}",
            "score": 0.0,
            "rating": 2200 - 10 * n,
            "starting_number": n,
            "pairing_number": n,
            "color_hist": [],
            "float_history": [],
            "bye_count": 0,
        }
        for n in range(1, players + 1)
    ]
    met = set()
    written = []
    for number in range(1, rounds + 1):
        engine = DutchEngine(
            players=[dict(p) for p in people],
            previous_pairings=set(met),
            round_number=number,
            # The last round has rules of its own for colours, which are not used here.
            total_rounds=rounds + 3,
        )
        games = []
        before = {p["id"]: p["score"] for p in people}
        for pairing in engine.generate_pairings():
            one, other = pairing["white_id"], pairing.get("black_id")
            first = people[one - 1]
            if other is None:
                first["score"] += 1
                first["bye_count"] += 1
                first["float_history"].append("down")
                games.append(f"{one}")
                continue
            second = people[other - 1]
            met.add((min(one, other), max(one, other)))
            for player, opponent, color in [(first, second, "white"), (second, first, "black")]:
                player["color_hist"].append(color)
                own, its = before[player["id"]], before[opponent["id"]]
                player["float_history"].append("down" if own > its else "up" if own < its else "none")
            draw = random.random() < 0.25
            strong = random.random() < (0.75 if one < other else 0.25)
            result = "=" if draw else "1" if strong else "0"
            first["score"] += {"1": 1, "0": 0, "=": 0.5}[result]
            second["score"] += {"1": 0, "0": 1, "=": 0.5}[result]
            games.append(f"{one}-{other}{result}")
        written.append(" ".join(games))
    return f"{players} " + "|".join(written)


for index in range(90):
    count = 8 + index % 15
    print(tournament(count, min(7, count // 2)))
