#!/usr/bin/env python3
"""same-home.py PROGRAM HOME EXPECTED SEED - compares a home after a fault with a home after an undisturbed run.

Runs `process` again, as cron would a minute later, then `check` and `deliver`. Compares the files left and the mails
sent with EXPECTED; the first run writes that file. SEED, from sysfault.py, makes strace give the program the same
random bytes as in the run before, so that the dice are the same. Times are ignored.

Dice depend on the second in which a board began, and a mail that was retried after a read error has used up some
random bytes. If only the dice differ, the script prints `other dice`; then each mail must show the position of its
board.
"""
import json, os, re, struct, subprocess, sys

program, home, expected, seed = sys.argv[1:]
# Unix times of 2017 to 2033; days and months in file names.
TIME = re.compile(rb"\b(?:00)?1[5-9]\d{8}\b")
DAY = re.compile(r"\b20\d\d-\d\d(-\d\d)?\b")


def wrong(*words):
    print(*words)
    sys.exit(1)


def run(*words, traced=()):
    ran = subprocess.run([*traced, program, "--home", home, *words], capture_output=True, text=True)
    if ran.returncode or ran.stdout or ran.stderr:
        wrong(words[0], "ends with", ran.returncode, "afterwards:", ran.stdout, ran.stderr)


def files(top):
    for folder, _, names in sorted(os.walk(top)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield os.path.relpath(path, top), file.read()


def records(text):
    # A crash may write a record twice.
    return sorted(set(text.decode().split("\n")))


def left():
    """Returns the compared contents by name, and the wakeup times of boards."""
    found, looks = {}, {}
    for name, text in files(home):
        top = name.split("/")[0]
        if top in ("log", "runs", "spare", "lock", "postboard.toml") or name.endswith("/lock"):
            continue
        if name == "journal/0.txn" or name.startswith("spool/tmp/"):
            continue
        if name.endswith("/looks"):
            looks[name] = [slot for (slot,) in struct.iter_unpack("<q", text[: len(text) // 8 * 8])]
        elif top == "seen":
            found.setdefault("seen", []).extend(line[:87] for line in records(text) if line)
        elif top in ("sent", "unproved") or name.endswith(("/rated", "stopped")):
            # Midnight may have passed since the home was made, so days are merged.
            name = DAY.sub("DAY", name)
            found[name] = sorted({*found.get(name, []), *records(text)})
        else:
            found[name] = TIME.sub(b"TIME", text).decode(errors="replace")
    return {**found, "seen": sorted(found.get("seen", []))}, looks


def mails():
    """Returns the mails sent, by Message-ID."""
    out = {}
    for name, text in files(os.path.join(home, "../sent")):
        text = TIME.sub(b"TIME", text).decode(errors="replace").replace("\r", "")
        text = re.sub(r"^Date: .*\n", "", text, count=1, flags=re.M)
        key = re.search(r"^Message-ID: (.*)$", text, flags=re.M)[1]
        if key in out:
            wrong("two mails have the Message-ID", key)
        out[key] = text
    return out


def masked(state):
    """Returns the parts of a state that do not depend on dice."""
    left = {name: re.sub(r'"roll":"\d+"', "ROLL", str(text)) for name, text in state["left"].items()}
    heads = {key: mail.split("\n\n")[0] for key, mail in state["mails"].items()}
    return {"left": left, "mails": heads}


def position(text):
    found = re.search(r"^Position: (.*(?:\n  .*)*)", text, flags=re.M)
    return " ".join(found[1].split()) if found else None


traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=getrandom"]
run("process", traced=[*traced, "-e", seed, "--"] if seed else [])
run("check")
# postboard.toml delivers to the folder `sent` beside the home.
run("deliver")
found, looks = left()
state = {"left": found, "mails": mails()}
for folder in ("spool/new", "spool/cur", "outbox/new", "outbox/cur", "outbox/bad"):
    waiting = [name for name in found if name.startswith(folder + "/")]
    if waiting:
        wrong("left behind:", waiting)
if not os.path.exists(expected):
    with open(expected, "w") as file:
        json.dump({**state, "looks": looks}, file)
    sys.exit(0)
with open(expected) as file:
    calm = json.load(file)
if state != {part: calm[part] for part in state} and masked(state) == masked(calm):
    for mail in state["mails"].values():
        shown, of = position(mail), re.search(r"^Subject: (?:Re: )?(\w+) Board (\d+)", mail, flags=re.M)
        if shown and of:
            show = [program, "--home", home, of[1].lower(), "show", of[2]]
            board = position(subprocess.run(show, capture_output=True, text=True).stdout)
            if shown != board:
                wrong("a mail shows", shown, "and the board has", board)
    print("other dice")
    calm = {**state, "looks": calm["looks"]}
for part in ("left", "mails"):
    for name in sorted(set(state[part]) | set(calm[part])):
        found, wanted = state[part].get(name), calm[part].get(name)
        if found != wanted:
            wrong(f"{part}: {name} is {str(found)[:2000]} and not {str(wanted)[:2000]}")
# An early wakeup does no harm, a late one could lose a game. The clock has moved on meanwhile.
for name, slots in looks.items():
    for number, look in enumerate(slots):
        usual = calm["looks"].get(name, [])
        if look > (usual[number] if number < len(usual) else 0) + 3600:
            wrong(f"{name}: board {number} wakes up too late")
