#!/usr/bin/env python3
"""Checks the dice of a board: ./check_dice.py FIRST-MAIL ... LAST-MAIL, or the sheet from `malaka proof 17`.

Needs PyNaCl (python3-nacl) for the curve and shares no code with the server. Proofs are those of RFC 9381,
ECVRF-EDWARDS25519-SHA512-TAI; `help dice` describes the rest.
"""
import base64, email, hashlib, re, sys
from nacl import bindings as curve

ORDER = 2**252 + 27742317777372353535851937790883648493
FACES = {"malaka": (4, 6), "moloko": (4, 6)}  # all other games use six
def sha512(*parts):
    return hashlib.sha512(b"".join(parts)).digest()

def to_curve(key, alpha):  # 5.4.1.1
    for count in range(256):
        point = sha512(b"\3\1", key, alpha, bytes([count]), b"\0")[:32]
        try:
            for _ in range(3):  # times eight
                point = curve.crypto_core_ed25519_add(point, point)
            return point
        except Exception:  # not the encoding of a point
            pass
    raise ValueError("no point")

def output(key, alpha, proof):  # 5.3
    gamma, c, s = proof[:32], proof[32:48], proof[48:]
    if len(proof) != 80 or int.from_bytes(s, "little") >= ORDER or not curve.crypto_core_ed25519_is_valid_point(key):
        raise ValueError("the key or the proof is malformed")
    h, number = to_curve(key, alpha), c + bytes(16)
    times, less = curve.crypto_scalarmult_ed25519_noclamp, curve.crypto_core_ed25519_sub
    u = less(curve.crypto_scalarmult_ed25519_base_noclamp(s), times(number, key))
    v = less(times(s, h), times(number, gamma))
    if sha512(b"\3\2", key, h, gamma, u, v, b"\0")[:16] != c:
        raise ValueError("the proof is not valid")
    for _ in range(3):
        gamma = curve.crypto_core_ed25519_add(gamma, gamma)
    return sha512(b"\3\3", gamma, b"\0")  # 5.2

def numbers(beta):
    """Returns a function that draws numbers below a limit: the remainder of one or two bytes, biased ones skipped."""
    def stream():
        yield from beta
        for count in range(1, 2**32):
            yield from sha512(beta, count.to_bytes(4, "big"))
    source = stream()
    one_of = lambda all: next(source) if all == 256 else 256 * next(source) + next(source)
    fair = lambda limit, all: next(n for n in iter(lambda: one_of(all), None) if n < all - all % limit) % limit
    return lambda limit: fair(limit, 256 if limit <= 256 else 65536)

def roll(below, kind):
    dice, faces = (int(part) for part in kind.rstrip("!").split("d"))
    while True:
        shown = [1 + below(faces) for _ in range(dice)]
        if not (kind.endswith("!") and shown[0] == shown[1]):
            return "".join(map(str, shown))

BARRED = {3, 13, 26, 35, 44, 45, 48, 52, 77, 88, 94, 109, 114, 137, 145, 156, 168, 171}  # ballots of Checkers

def stones(below, game, rows, tries):
    """Returns the rows of the last of several tries. Each stone is drawn among the points that are still free."""
    if game in ("chess", "checkers"):  # the number of a start, or of a ballot
        return str(below(960) if game == "chess" else [n for n in range(1, 175) if n not in BARRED][below(156)])
    flat = rows.replace("/", "")
    green, red = flat.count("G"), flat.count("R")
    for _ in range(tries):
        board = ["."] * 81
        def draw(free, colour):
            free = [at for at in free if board[at] == "."]
            at = free[below(len(free))]
            board[at] = colour
            return at
        if game == "findthem":  # all of one colour, then all of the other
            for colour in "G" * green + "R" * red:
                draw(range(81), colour)
        else:  # Symmetry uses the four upper lines; in other games each red stone is opposite a green one
            free = range(36) if game == "symmetry" else range(81)
            for _ in range(green):
                at = draw([at for at in free if not red or at != 40], "G")
                if red:
                    board[80 - at] = "R"
    return "/".join("".join(board[at:at + 9]) for at in range(0, 81, 9))

def inputs(lines):
    """Returns the rules, the commitment, and the words: who, word, after how many rolls, from which roll."""
    value = lambda name: next((line[len(name):].split() for line in lines if line.startswith(name)), None)
    words = []
    for at, line in ((at, line.split()) for at, line in enumerate(lines) if line.startswith("word ")):
        numbers = dict(zip(line[3::2], map(int, line[4::2])))
        word = lines[at + 1].removeprefix("value ") if line[2] == "*" else line[2]  # a long word has its own line
        words.append((line[1], word, numbers.get("after"), numbers.get("from")))
    commitment = [*(value("commits ") or []), *(value("commitment ") or [])]  # whose, and the digest
    return int((value("rules ") or ["1"])[0]), commitment if len(commitment) == 2 else None, words

IS_LINK = re.compile("[0-9a-f]{64}").fullmatch

def links(lines):
    """Returns the values of chains (who, value, roll, whether it ends a new chain) and the words that begin them."""
    found = []
    for at, line in enumerate(lines):
        if line.startswith(("links ", "chains ")):
            (_, who, number), (what, value) = line.split(), lines[at + 1].split()
            found.append((who, value, int(number), what == "chain"))
    shared = [w for w in inputs(lines)[2] if w[2] is not None and w[3]]
    chained = len(shared) == 2 and all(IS_LINK(w[1]) for w in shared)
    return found, shared if chained else []

def untrue_links(lines):
    """Names the first value that is late, repeated, or of no chain that counts."""
    found, first = links(lines)
    if len(found) != sum(line.startswith(("link ", "chain ")) for line in lines) or found and not first:
        return ["values of chains, where there are none"]
    newest, begun, latest = {w[0]: w[1] for w in first}, {w[0]: 0 for w in first}, {w[0]: 1 for w in first}
    rolls = first[0][3] - 1 if first else 0
    for at, (who, value, number, is_end) in enumerate(found, 2):
        other = next((w[0] for w in first if w[0] != who), None)
        in_time = number >= rolls if is_end else number > rolls
        follows = is_end or hashlib.sha256(value.encode()).hexdigest() == newest.get(who) and latest[other] > begun[who]
        if who not in newest or not IS_LINK(value) or not in_time or not follows:
            return [f"the value {value} of roll {number} cannot count"]
        rolls, newest[who], latest[who] = number, value, at
        begun[who] = at if is_end else begun[who]
    return []

def linked(lines, number):
    """Returns the newest values of both players for a roll, or None if no value came with it."""
    found, first = links(lines)
    newest, result = {w[0]: w[1] for w in first}, None
    for who, value, of, is_end in found:
        newest[who] = value
        result = list(newest.values()) if of == number and not is_end else result
    return result

def lost(lines):
    """Returns who lost the value of the commitment, and after how many rolls; 0 if nobody did."""
    line = next((line.split() for line in lines if line.startswith("lost ")), [None, None, None, 0])
    return line[1], int(line[3])

def faults(lines):
    """Names words that cannot have come in time, and unknown lines."""
    rules, commitment, words = inputs(lines)
    late = [w for w in words if w[0] != "operator" and (w[3] != 1 or w[2] is not None)]
    if rules == 1:
        bad = [w for w in late if w[2] is not None or w[3] is None or w[3] > 3]
    elif len(late) == 1 and commitment:  # the answer to the commitment, before the value
        bad = [w for w in late if w[0] == commitment[0] or w[2] is None or w[3] is not None]
    elif len(late) == 2 and commitment:
        (a, b), digest = late, hashlib.sha256(late[1][1].encode()).hexdigest()
        right = a[0] != commitment[0] == b[0] and digest == commitment[1] and a[2] is not None
        bad = [] if right and a[2:] == b[2:] and a[3] == a[2] + 2 else late
    else:
        bad = late
    who, after = lost(lines)
    if after and not (commitment and who == commitment[0] and len(late) == 1 and late[0][2:] == (after - 1, None)):
        bad = late + [(who, "lost")]
    known = ("dice of ", "options ", "rules ", "key ", "commits ", "commitment ", "word ", "lost ", "links ", "link ", "chains ", "chain ", "value ", "level ", "roll ", "dice end ")
    first = next((at for at, line in enumerate(lines) if line.startswith("roll ")), len(lines))
    odd = [f"the line {line!r}" for line in lines[:first] if not line.startswith(known)]
    return [f"the word {w[1]} cannot count: it came when the game had begun" for w in bad] + odd + untrue_links(lines)

def digests(lines):
    """Returns all digests that mails of the board may have: by stage, and by the operator's words so far."""
    rules, commitment, words = inputs(lines)
    board, began = lines[0][8:].split(",")[0], lines[0].split(" begun ")[1]
    options = next((" ".join(line.split()[1:]) for line in lines if line.startswith("options ")), "")
    key = next(line[4:] for line in lines if line.startswith("key "))
    head = f"postboard dice {rules}\n{board}\nbegan {began}\noptions {options}\nkey {key}\n"
    head += f"commitment {commitment[1] if commitment else 'none'}\n"
    found = set()
    values = links(lines)[0]
    for stage, last in [(0, 0), (1, 0)] + [(2, last) for last in range(len(values) + 1)]:
        for given in range(len(words) + 1):
            text, seen, answers = head, 0, 0
            for who, word, after, start in words:
                seen, answers = seen + (who == "operator"), answers + (after is not None)
                if who == "operator" and seen > given or after is not None and (stage == 0 or stage == 1 < answers):
                    continue
                waits = after is not None and stage == 1
                text += f"word {word} after {after or 0} from {0 if waits else start or 0}\n"
            text += f"lost after {lost(lines)[1]}\n" if stage == 2 and lost(lines)[1] else ""
            text += "".join(f"{'chain' if end else 'link'} {value} {of}\n" for _, value, of, end in values[:last])
            found.add(hashlib.sha256(text.encode()).hexdigest()[:32])
    return found

def check(lines):
    """Prints what each roll of a sheet proves. Returns whether anything is wrong."""
    game, number = lines[0].split(",")[0].split()[2:]
    began, options = lines[0].split(" begun ")[1], " ".join(lines[1:3])
    key = bytes.fromhex(next(line[4:] for line in lines if line.startswith("key ")))
    rules, commitment, words = inputs(lines)
    end = lines[-1].split() if lines[-1].startswith("dice end ") else sys.exit("the end of the sheet is missing")
    first, last = map(int, end[2].split("-"))
    rolls = [at for at, line in enumerate(lines) if line.startswith("roll ")]
    wrong = [int(lines[at].split()[1]) for at in rolls] != list(range(first, last + 1))
    print(f"{game} {number}, key {key.hex()}: rolls {first} to {last} of {end[4]}")
    print("WRONG: the rolls are not those of the last line\n" if wrong else "", end="")
    for fault in faults(lines):
        wrong = print(f"WRONG: {fault}") is None
    for at, until in zip(rolls, rolls[1:] + [len(lines) - 1]):
        _, n, kind, shown, *why = lines[at].split()
        letters, is_deal = "".join(lines[at + 1:until]), kind == "deal"
        if shown == "hidden" or why and why[0] in ("again", "imported", "operator"):
            print(f"roll {n}: not proved ({why[0] if why else shown})")
            continue
        rows, proof = (letters[:-107], letters[-107:]) if is_deal else (shown, letters)
        counts = [w for w in words if w[3] and w[3] <= int(n)]
        newest = linked(lines, int(n))
        mixed = "".join([f"word {w[1]}\n" for w in counts] + [f"link {value}\n" for value in newest or []]) + f"roll {n}\n"
        mixed = (f"commitment {commitment[1]}\n" if commitment else "") + mixed
        alpha = f"postboard dice {rules}\n{game} {number}\nbegan {began}\n{mixed}"
        level = 2 if newest else 1 if any(w[2] for w in counts) else 0
        unlinked = level == 1 and links(lines)[1]
        late = any(w[0] == "operator" or w[3] > 1 and not w[2] for w in counts)
        late |= 0 < lost(lines)[1] < int(n)
        try:  # the first roll is one die or a roll to begin, unless the game began with a position
            beta = output(key, alpha.encode(), base64.urlsafe_b64decode(proof + "="))
            drawn = stones(numbers(beta), game, rows, int(shown)) if is_deal else roll(numbers(beta), kind)
            one, to_begin, placed = n == "1" and game in FACES, kind.endswith("!"), " -position=" in options
            fits = to_begin != one if n == "1" and not placed else not to_begin or placed or " -match=" in options
            fits = fits and kind[:2] == ("1d" if one else "2d") and int(kind[2]) in FACES.get(game, (6,))
            is_right = drawn == rows and (is_deal or fits)
            what = "not proved (a word came late, or a value was lost)" if late else f"proved, level {level}"
            what = "not proved (level 1, without the value that was due)" if unlinked else what
            print(f"roll {n}: {kind} {shown} " + (what if is_right else "WRONG"))
        except Exception as error:
            is_right = print(f"roll {n}: WRONG, {error}")
        wrong |= not is_right
    return wrong

sheets, named = [], []
for path in sys.argv[1:]:
    raw = open(path, "rb").read()
    parts = [part.get_payload(decode=True) for part in email.message_from_bytes(raw).walk() if not part.is_multipart()]
    text = next((part for part in [*parts, raw] if part and b"dice " in part), b"").decode(errors="replace")
    for line in (line.lstrip("> \t").rstrip() for line in text.splitlines()):
        if line.startswith("dice of "):
            sheets.append([])
        if line.startswith("dice digest of "):
            named.append(tuple(line[15:].split(": ")))
        if sheets and not (sheets[-1] and sheets[-1][-1].startswith(("dice end ", "dice digest "))):
            sheets[-1].append(line)
wrong = False
for lines in sheets:
    is_head = lines[-1].startswith("dice digest ")  # from a first mail
    lines, board = lines[:-1] if is_head else lines, lines[0][8:].split(",")[0]
    wrong |= not is_head and check(lines)
    for digest in (digest for of, digest in named if of == board and not is_head):
        if digest not in digests(lines):
            wrong = print(f"WRONG: a mail has the digest {digest}, which is not that of the sheet") is None
sys.exit(wrong if any(lines[-1].startswith("dice end ") for lines in sheets) else "no sheet of dice found")
