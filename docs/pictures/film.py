#!/usr/bin/python3
"""Makes film.svg: a board arrives by mail, a reply moves a man, and the browser shows it.

    cargo build && python3 docs/pictures/film.py      # needs Chromium

All frames come from the program itself: the mail from its outbox, the reply as it was received, and the page of
`postboard serve`.
"""

import base64
import email
import email.policy
import html
import json
import os
import re
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PROGRAM = FOLDER.parent.parent / "target/debug/postboard"
WIDTH, HEIGHT = 760, 850
SECONDS = 4
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
CONFIGURATION = """address = "postboard@games.example.org"
plus = true
[deliver]
by = "folder"
path = "{sent}"
"""
FRAME = """<!doctype html><meta charset=utf-8><style>
body { margin: 0 !important; padding: 0 !important; font: 15px sans-serif; background: #fff; height: %dpx; overflow: hidden }
h1 { margin: 0; padding: 12px 18px; font-size: 19px; background: #24506b; color: #fff }
table { border-spacing: 0; margin: 8px 18px; } th { text-align: left; color: #667; padding-right: 12px }
hr { border: 0; border-top: 1px solid #ccd; margin: 0 } pre { margin: 14px 18px; font-size: 14px }
.typed { font-weight: bold; background: #fff3c4; padding: 2px 4px } .mail { padding: 0 18px } img { display: block }
</style><h1>%s</h1>%s"""


def postboard(home, *words, given=b""):
    ran = subprocess.run([PROGRAM, "--home", home, *words], input=given, capture_output=True, check=True)
    return ran.stdout.decode()


def screenshot(base, name, address):
    picture = base / f"{name}.png"
    size = f"--window-size={WIDTH},{HEIGHT}"
    subprocess.run([*CHROMIUM, size, f"--screenshot={picture}", address], check=True, capture_output=True)
    return "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode()


def frame(base, name, title, body):
    page = base / f"{name}.html"
    page.write_text(FRAME % (HEIGHT, html.escape(title), body))
    return screenshot(base, name, f"file://{page}")


def headers(rows):
    cells = "".join(f"<tr><th>{name}<td>{html.escape(value)}" for name, value in rows)
    return f"<table>{cells}</table><hr>"


def newest(home, sent):
    """Returns the newest mail to bob, its text, and its HTML with embedded pictures."""
    postboard(home, "deliver")
    mails = [email.message_from_bytes(path.read_bytes(), policy=email.policy.default) for path in sent.iterdir()]
    mail = max((mail for mail in mails if "bob" in mail["To"]), key=lambda mail: "Your turn" in mail["Subject"])
    page = mail.get_body(("html",)).get_content()
    for part in mail.walk():
        if part.get_content_type() == "image/png":
            data = base64.b64encode(part.get_content()).decode()
            page = page.replace("cid:" + part["Content-ID"].strip("<>"), f"data:image/png;base64,{data}")
    return mail, mail.get_body(("plain",)).get_content(), page


def legal_move(home):
    """Returns the player whose turn it is, and their first legal play."""
    turn = json.loads(postboard(home, "board", "list", "--json"))[0]["turn"]
    return turn, postboard(home, "backgammon", "moves", "1").split("legal plays:")[1].split()[0]


def webp(base, pictures):
    """Converts pictures to WebP with the browser's encoder."""
    page = base / "webp.html"
    images = "".join(f'<img src="{picture}">' for picture in pictures)
    page.write_text(images + """<script>onload = () => { document.body.innerText = [...document.images].map(image => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        canvas.getContext("2d").drawImage(image, 0, 0);
        return canvas.toDataURL("image/webp", 0.8) }).join(" ") }</script>""")
    dumped = subprocess.run([*CHROMIUM, "--dump-dom", f"file://{page}"], check=True, capture_output=True)
    return re.findall(r"data:image/webp;base64,[\w+/=]+", dumped.stdout.decode())


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        home, sent = str(base / "home"), base / "sent"
        postboard(home, "init")
        (base / "home/postboard.toml").write_text(CONFIGURATION.format(sent=sent))
        for user in ["alice", "bob"]:
            postboard(home, "signup", user, "secret1", f"{user}@example.org")
        postboard(home, "backgammon", "challenge", "alice", "bob", "-force")
        while (turn := legal_move(home))[0] != "bob":
            postboard(home, "backgammon", "move", "1", turn[0], "secret1", turn[1])
        played = turn[1]
        mail, text, page = newest(home, sent)
        shown = [("From", mail["From"]), ("Subject", mail["Subject"])]
        pictures = [frame(base, "mail", "1. The board comes by mail", headers(shown) + f'<div class="mail">{page}</div>')]
        answer_to = mail.get("Reply-To", mail["From"])
        subject = "Re: " + mail["Subject"]
        quoted = "\n".join("> " + line for line in text.splitlines()[:36])
        written = f"{played}\nGood luck, Alice!"
        raw = f"From: bob@example.org\nTo: {answer_to}\nSubject: {subject}\nMessage-ID: <1@example.org>\n\n{written}\n\n{quoted}\n"
        body = f'<pre><span class="typed">{html.escape(played)}</span>\nGood luck, Alice!\n\n{html.escape(quoted)}</pre>'
        shown = [("To", email.utils.parseaddr(str(answer_to))[1]), ("Subject", subject)]
        pictures.append(frame(base, "reply", "2. Press Reply, and write your move", headers(shown) + body))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        serving = subprocess.Popen([PROGRAM, "--home", home, "serve", "--listen", address], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            postboard(home, "receive", given=raw.encode())
            postboard(home, "process")
            url = f"http://{address}/backgammon/1"
            for _ in range(100):
                try:
                    urllib.request.urlopen(url).read()
                    break
                except OSError:
                    time.sleep(0.1)
            board = screenshot(base, "page", url)
        finally:
            serving.terminate()
            serving.wait()
        pictures.append(frame(base, "browser", "3. The browser shows it at once", f'<img src="{board}">'))
        frames = webp(base, pictures)
        assert len(frames) == len(pictures)
        if "FRAMES" in os.environ:
            for number, picture in enumerate(pictures):
                data = base64.b64decode(picture.split(",")[1])
                (Path(os.environ["FRAMES"]) / f"film-{number}.png").write_bytes(data)
    whole, share = SECONDS * len(frames), 100 / len(frames)
    shots = "".join(
        f'<image href="{data}" width="{WIDTH}" height="{HEIGHT}" style="animation-delay:{SECONDS * number}s"/>\n'
        for number, data in enumerate(frames)
    )
    (FOLDER / "film.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
        "<title>A board by mail, a reply, and the same board in a browser</title><style>"
        f"image {{ opacity: 0; animation: show {whole}s infinite step-end }} "
        f"@keyframes show {{ 0% {{ opacity: 1 }} {share:.3f}% {{ opacity: 0 }} }}"
        f"</style>\n{shots}</svg>\n"
    )
    print(f"film.svg: {len(frames)} frames, {(FOLDER / 'film.svg').stat().st_size} bytes")


main()
