#!/usr/bin/env python3
"""A player of Malaka that signs up, takes a challenge and plays the game to its end.

    python3 malaka_bot.py http://127.0.0.1:8080 robin a-password robin@example.org [WHO]

WHO is the number of an open challenge, which it accepts, or a userid, whom it challenges. Without it
the bot waits until somebody challenges it. Needs Python 3.9 and no packages.
"""
import json
import sys
import urllib.error
import urllib.request

site, userid, password, address, *who = sys.argv[1:]
key = None


def ask(path, said=None):
    """What the server says; the program ends if it refuses."""
    request = urllib.request.Request(f"{site}/api/v1{path}")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    if said is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(said).encode()
    try:
        reply = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refusal:
        sys.exit(json.load(refusal)["error"])
    return reply if path == "/events" else json.load(reply)


def sign_in():
    me = {"userid": userid, "password": password, "name": "malaka bot"}
    try:
        return ask("/signup", {**me, "address": address})["key"]
    except SystemExit:  # That name is taken: by us, if the password fits.
        return ask("/keys", me)["key"]


def play(board):
    """Prefers jumps, which are written with an x; of equal moves it takes the last."""
    move = max(reversed(board["legal"]), key=lambda move: move.count("x"))
    where = f"/boards/malaka/{board['board']}"
    ask(where, {"say": move, "move": board["move"], "once": f"{where} {board['move']}"})


key = sign_in()
if who:
    verb = "accept-seek" if who[0].isdigit() else "challenge"
    ask("/say", {"verb": verb, "game": "malaka", "words": who})
mine = set()
for _ in ask("/events"):  # A line when it begins, and when something has changed.
    mine |= {one["board"] for one in ask("/boards")["boards"] if one["game"] == "malaka"}
    for number in mine:
        while (board := ask(f"/boards/malaka/{number}"))["your_turn"]:
            play(board)
        if board["over"]:
            sys.exit(print(board["over"]["winner"], "wins", board["over"]["reason"]))
