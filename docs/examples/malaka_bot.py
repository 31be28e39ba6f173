#!/usr/bin/env python3
"""A player of Malaka that signs up, accepts an open challenge and plays it to the end.

    python3 malaka_bot.py http://127.0.0.1:8080 robin a-password robin@example.org

It plays the move that brings it nearest to connection, one move ahead. Needs Python 3.9, no packages.
"""
import json
import sys
import urllib.error
import urllib.request

site, userid, password, address = sys.argv[1:5]
key = None


def ask(path, said=None):
    """What the server says to that; a sentence for people if it refuses."""
    request = urllib.request.Request(f"{site}/api/v1{path}")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    if said is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(said).encode()
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as refusal:
        raise SystemExit(json.load(refusal)["error"])


def sign_in():
    me = {"userid": userid, "password": password, "name": "malaka bot"}
    try:
        return ask("/signup", {**me, "address": address})["key"]
    except SystemExit:  # The name is taken, by us.
        return ask("/keys", me)["key"]


def board_to_play():
    mine = [one for one in ask("/boards")["boards"] if one["game"] == "malaka"]
    if mine:
        return mine[0]["board"]
    number = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    said = {"verb": "accept-seek", "game": "malaka", "words": [str(number)]}
    return ask("/say", said)["board"]


def changes(board):
    """One line for the beginning, and one for each change."""
    stream = urllib.request.Request(f"{site}/api/v1/events?board=malaka+{board}")
    stream.add_header("Authorization", f"Bearer {key}")
    for line in urllib.request.urlopen(stream):
        if line.startswith((b": listening", b"data:")):
            yield line


key = sign_in()
number = board_to_play()
for _ in changes(number):
    board = ask(f"/boards/malaka/{number}")
    while board["your_turn"]:
        # Long steps, and jumps, which are written with an x.
        move = max(board["legal"], key=lambda move: (move.count("x"), len(set(move.split("-")))))
        ask(f"/boards/malaka/{number}", {"say": move, "move": board["move"], "once": f"{number}.{board['move']}"})
        board = ask(f"/boards/malaka/{number}")
    if board["over"]:
        print(board["over"]["winner"], "wins:", board["over"]["reason"])
        break
