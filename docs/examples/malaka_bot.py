#!/usr/bin/env python3
"""A bot that signs up, accepts or makes a challenge, and plays a game of Malaka to its end.

    python3 malaka_bot.py http://127.0.0.1:8080 robin a-password robin@example.org [WHO]

WHO is the number of an open challenge to accept, or a userid to challenge. Without WHO the bot waits
until somebody challenges it. Needs Python 3.9 and no packages.
"""
import json
import sys
import urllib.error
import urllib.request

site, userid, password, address, *who = sys.argv[1:]
key = None


def ask(path, said=None):
    """Returns the answer of the server. A refusal ends the program."""
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
    except SystemExit:  # The userid is taken: by us, if the password is right.
        return ask("/keys", me)["key"]


def play(board):
    """Plays the move with the most jumps (`x`), the last of several."""
    move = max(reversed(board["legal"]), key=lambda move: move.count("x"))
    where = f"/boards/malaka/{board['board']}"
    ask(where, {"say": move, "move": board["move"], "once": f"{where} {board['move']}"})


key = sign_in()
if who:
    verb = "accept-seek" if who[0].isdigit() else "challenge"
    ask("/say", {"verb": verb, "game": "malaka", "words": who})
mine = set()
for _ in ask("/events"):  # A line at the start and after each change.
    mine |= {board["board"] for board in ask("/boards")["boards"] if board["game"] == "malaka"}
    for number in mine:
        while (board := ask(f"/boards/malaka/{number}"))["your_turn"]:
            play(board)
        if board["over"]:
            sys.exit(print(board["over"]["winner"], "wins", board["over"]["reason"]))
