#!/usr/bin/env python3
"""same-home.py PROGRAM HOME EXPECTED SEED - whether a home is as a run leaves it that nobody disturbs.

`process` runs once more, as it would a minute later, then `check` and `deliver`. What is left and
what went out is compared with EXPECTED; if there is no such file yet this run makes it. SEED is what
sysfault.py found: how strace gives the program the same random bytes as the run before had, so that
the same dice fall. Only times differ then, and they are left out.

Dice follow from the second in which a board was begun; and where the program itself tried a mail
again, because the disk could not read a file, it has thrown some for nothing. Others fall then, and
this says `other dice`. All but they has to be the same, and
each mail has to show the position that its board has.
"""
import json, os, re, struct, subprocess, sys

program, home, expected, seed = sys.argv[1:]
# Unix times of 2017 to 2033, and the days and months of names.
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
    # One that a crash had written twice says the same.
    return sorted(set(text.decode().split("\n")))


def left():
    """All that counts, by name; and when boards have to be looked at."""
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
            # Midnight may have passed since the home was made: what the days have counts together.
            name = DAY.sub("DAY", name)
            found[name] = sorted({*found.get(name, []), *records(text)})
        else:
            found[name] = TIME.sub(b"TIME", text).decode(errors="replace")
    return {**found, "seen": sorted(found.get("seen", []))}, looks


def mails():
    """What went out, by Message-ID."""
    out = {}
    for name, text in files(os.path.join(home, "../sent")):
        text = TIME.sub(b"TIME", text).decode(errors="replace").replace("\r", "")
        text = re.sub(r"^Date: .*\n", "", text, count=1, flags=re.M)
        key = re.search(r"^Message-ID: (.*)$", text, flags=re.M)[1]
        if key in out:
            wrong("two mails are", key)
        out[key] = text
    return out


def masked(state):
    """All but what depends on dice."""
    left = {name: re.sub(r'"roll":"\d+"', "ROLL", str(text)) for name, text in state["left"].items()}
    heads = {key: mail.split("\n\n")[0] for key, mail in state["mails"].items()}
    return {"left": left, "mails": heads}


def position(text):
    found = re.search(r"^Position: (.*(?:\n  .*)*)", text, flags=re.M)
    return " ".join(found[1].split()) if found else None


traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=getrandom"]
run("process", traced=[*traced, "-e", seed, "--"] if seed else [])
run("check")
# The folder that postboard.toml names, `sent`, is beside the home.
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
        one, other = state[part].get(name), calm[part].get(name)
        if one != other:
            wrong(f"{part}: {name} is {str(one)[:2000]} and not {str(other)[:2000]}")
# A look too early costs a look, one too late would cost a game; the clock has gone on meanwhile.
for name, slots in looks.items():
    for number, look in enumerate(slots):
        usual = calm["looks"].get(name, [])
        if look > (usual[number] if number < len(usual) else 0) + 3600:
            wrong(f"{name}: board {number} is looked at too late")
