// Motion and sound on the page of a board: men slide to their new spots, dice tumble, the last move glows.
// Nothing moves for readers who prefer less motion. Sounds are off until the reader turns them on.
//
// It compares the board before and after script.js says "postboard:shown". A man is an element of the class
// `o` or `x`, a light of the class `green` or `red`; their centres are those of the spots.
"use strict";
{
  const SLIDE = 200;
  // More men than one move has: the board was turned, or it is another position of a long game.
  const MAX_MOVED = 8;
  const SOUND = "postboard sound";
  const stored = () => { try { return localStorage.getItem(SOUND); } catch { return null; } };
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  const number = (element, name) => Number(element.getAttribute(name));
  const centre = (element) => element.nodeName === "circle"
    ? { x: number(element, "cx"), y: number(element, "cy") }
    : { x: number(element, "x") + number(element, "width") / 2, y: number(element, "y") + number(element, "height") / 2 };
  const boardOf = (path) => path.match(/^\/[a-z]+\/\d+(?=\/|$)/)?.[0];

  // Reads a board: its men with their places, its dice, and its last move.
  const read = () => {
    const svg = document.querySelector("#main svg.board");
    if (!svg) return undefined;
    const places = (selector) => [...svg.querySelectorAll(selector)].map((element) => ({ element, ...centre(element) }));
    const men = ["o", "x", "green", "red"].flatMap((side) => places(`circle.${side}, rect.${side}`)
      .map((man) => ({ ...man, side, key: `${side} ${man.x} ${man.y}` })));
    // The parts of a die follow it.
    const dice = [...svg.querySelectorAll(".die")].map((die) => {
      const parts = [die];
      while (parts.at(-1).nextElementSibling?.matches(".pip")) parts.push(parts.at(-1).nextElementSibling);
      return parts;
    }).filter((parts) => parts.length > 1);
    const last = [...svg.querySelectorAll(".last, .way")];
    const text = (elements) => elements.map((it) => it.outerHTML).join();
    return {
      men, dice, last, board: boardOf(location.pathname), view: svg.getAttribute("viewBox"),
      thrown: text(dice.flat()), played: text(last),
    };
  };

  // Returns the parts of a man: its shadow before its face, its ring and its number after it.
  const partsOf = ({ element }) => {
    const parts = [element];
    const shadow = element.previousElementSibling;
    if (shadow?.matches(".shadow")) parts.push(shadow);
    let next = element.nextElementSibling;
    while (next?.matches(".o-ring, .x-ring, .o-ink, .x-ink, .green-rim, .red-rim")) {
      parts.push(next);
      next = next.nextElementSibling;
    }
    return parts;
  };

  // Pairs each man that has come with the nearest man of its side that has gone, if there is one.
  const pair = (before, after) => {
    const keys = (men) => {
      const count = new Map();
      men.forEach(({ key }) => count.set(key, (count.get(key) ?? 0) + 1));
      return count;
    };
    const missing = (men, others) => {
      const left = keys(others);
      return men.filter(({ key }) => !left.get(key) || (left.set(key, left.get(key) - 1), false));
    };
    const gone = missing(before, after);
    return missing(after, before).map((man) => {
      const from = gone.filter(({ side }) => side === man.side)
        .sort((one, other) => Math.hypot(one.x - man.x, one.y - man.y) - Math.hypot(other.x - man.x, other.y - man.y))[0];
      if (from) gone.splice(gone.indexOf(from), 1);
      return { man, from };
    });
  };

  const slide = ({ man, from }) => {
    const start = from
      ? { transform: `translate(${from.x - man.x}px, ${from.y - man.y}px)` }
      : { opacity: 0 };
    const end = from ? { transform: "none" } : { opacity: 1 };
    partsOf(man).forEach((part) => part.animate([start, end], { duration: SLIDE, easing: "ease-out" }));
  };
  const tumble = (parts, index) => {
    const box = parts[0].getBBox();
    const transformOrigin = `${box.x + box.width / 2}px ${box.y + box.height / 2}px`;
    const turn = index % 2 ? 1 : -1;
    const frames = [
      { transform: `translate(${turn * 30}px, -24px) rotate(${turn * 300}deg)`, transformOrigin },
      { transform: `translate(0, 6px) rotate(${turn * 40}deg)`, transformOrigin, offset: .7 },
      { transform: "none", transformOrigin },
    ];
    parts.forEach((part) => part.animate(frames, { duration: 400, easing: "ease-out" }));
  };
  const glow = (element) =>
    element.animate([{ opacity: .1 }, { opacity: 1 }, { opacity: .3 }, { opacity: 1 }], { duration: 1200, easing: "ease-in-out" });

  // A short knock for each man, and a rattle for dice.
  let audio;
  const knock = (at, pitch) => {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + at;
    tone.type = "triangle";
    tone.frequency.setValueAtTime(pitch, start);
    tone.frequency.exponentialRampToValueAtTime(pitch / 3, start + .06);
    volume.gain.setValueAtTime(.25, start);
    volume.gain.exponentialRampToValueAtTime(.001, start + .08);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + .1);
  };
  const sound = (moved, hasThrown) => {
    if (stored() !== "on") return;
    audio ??= new AudioContext();
    for (let i = 0; hasThrown && i < 4; i++) knock(i * .06, 900 - 120 * i);
    for (let i = 0; i < moved; i++) knock((hasThrown ? .3 : 0) + i * .09, 320);
  };

  // The switch is beside the link that flips the board, or the links through the moves.
  const addSwitch = () => {
    const [nav, flip] = ["nav.steps", "a.flip"].map((it) => document.querySelector(`#main ${it}`));
    if (!nav || document.querySelector("#main button.sound")) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "sound" });
    button.dataset.kept = "";
    const show = () => {
      button.setAttribute("aria-pressed", stored() === "on");
      button.textContent = stored() === "on" ? "Sound on" : "Sound off";
    };
    button.addEventListener("click", () => {
      try { localStorage.setItem(SOUND, stored() === "on" ? "off" : "on"); } catch { return; }
      show();
      sound(1, false);
    });
    show();
    if (flip) flip.after(button);
    else nav.append(button);
  };

  // A man that the reader has dragged is there already.
  let press;
  let isDropped = false;
  addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (press = { x, y }, isDropped = false), true);
  addEventListener("pointerup", ({ clientX: x, clientY: y }) => (isDropped = !!press && Math.hypot(x - press.x, y - press.y) > 8), true);

  let before = read();
  const shown = () => {
    const [old, now] = [before, read()];
    before = now;
    addSwitch();
    // The elements of earlier motions may be other parts of the board now.
    document.getAnimations().filter(({ effect }) => effect.target?.closest("svg.board")).forEach((it) => it.cancel());
    if (!old || !now || old.board !== now.board || old.view !== now.view) return;
    const moved = pair(old.men, now.men);
    const hasThrown = now.thrown && now.thrown !== old.thrown;
    const hasMoved = moved.length > 0 && moved.length <= MAX_MOVED;
    if (hasMoved || hasThrown) sound(hasMoved ? Math.min(moved.length, 4) : 0, hasThrown);
    if (isStill.matches) return;
    if (hasMoved && !isDropped) moved.forEach(slide);
    if (hasThrown) now.dice.forEach(tumble);
    if (now.played && now.played !== old.played) now.last.forEach(glow);
  };
  document.addEventListener("postboard:shown", shown);
  addSwitch();
  if (!isStill.matches) before?.last.forEach(glow);
}
