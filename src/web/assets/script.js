// What makes pages change without being loaded again. Everything works without it: it follows the
// links and sends the forms that are there, and puts what comes back in place of what has changed.
//
// What it finds on a page:
//   body[data-events]           changes are told at that address (server-sent events)
//   a[rel=first|prev|next|last] the record: Home, left, right, End
//   [data-key=u]                what that key presses
//   a[data-spot]                places of a board: a man is dragged from one with a .can to another
//   nav.steps[data-path][data-at][data-made]  gets a slider; the moves are at PATH/0, PATH/1 ...
//   [data-copy]                 gets a button that copies its text
//   [data-ask]                  a question that answers a form: it is asked in a dialog
//   input[data-seed]            what goes into the dice: `commitment`, `word`, `chain`, or the SHA-256
//                               of the value; [data-chain] is the end of its chain, which is kept here
//   button[data-roll]           is pressed by itself once its value is found
//   [data-kept]                 is ours, and stays
"use strict";
{
  const $ = (what, of = document) => of.querySelector(what);
  const main = () => $("#main");
  const board = (path) => path.match(/^\/[a-z]+\/\d+(?=\/|$)/)?.[0];
  const isHere = (url) => url.origin === location.origin
    && (url.pathname === location.pathname || board(url.pathname) && board(url.pathname) === board(location.pathname));
  const make = (tag, properties) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.dataset.kept = "";
    return made;
  };
  const said = make("p", { className: "said", role: "status" });
  const isOurs = (node) => node.dataset?.kept !== undefined;
  const name = (node) => node.nodeName + (node.id || node.dataset?.spot || "");

  // Makes one tree like another and leaves alone what is equal: words typed, places scrolled to.
  const morph = (old, now) => {
    if (old.isEqualNode(now)) return;
    if (name(old) !== name(now)) return old.replaceWith(now);
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.nodeValue = now.nodeValue);
    const isTold = (attribute) => attribute !== "open" || old.nodeName !== "DETAILS";
    for (const { name } of [...old.attributes]) {
      if (!now.hasAttribute(name) && isTold(name)) old.removeAttribute(name);
    }
    for (const { name, value } of now.attributes) {
      if (old.getAttribute(name) !== value && isTold(name)) old.setAttribute(name, value);
    }
    const before = [...old.childNodes].filter((node) => !isOurs(node));
    const after = [...now.childNodes];
    before.slice(after.length).forEach((node) => node.remove());
    after.forEach((node, i) => {
      if (before[i]) return morph(before[i], node);
      old.insertBefore(node, [...old.childNodes].find(isOurs) ?? null);
    });
  };

  // The focus stays where it was, or where the same is now.
  const focused = () => {
    const at = document.activeElement;
    if (!main().contains(at)) return () => {};
    const ways = ["id", "data-spot", "rel", "href", "name"].filter((key) => at.getAttribute(key));
    const same = ways.map((key) => `${at.nodeName}[${key}="${CSS.escape(at.getAttribute(key))}"]`);
    if (at.dataset.spot) same.push("a[data-spot]:has(.target)", "a[data-spot]", "section.turn button.main");
    return () => {
      if (at.isConnected && document.activeElement === at) return;
      same.map((what) => $(what, main())).find(Boolean)?.focus({ preventScroll: true });
    };
  };

  const dress = () => {
    for (const nav of document.querySelectorAll("nav.steps[data-made]")) {
      const { at, made } = nav.dataset;
      let slider = $("input", nav);
      if (!slider && made > 1) {
        slider = make("input", { type: "range", min: 0, ariaLabel: "Move" });
        slider.addEventListener("input", () => {
          const { path } = nav.dataset;
          const to = slider.value === slider.max ? path : `${path}/${slider.value}`;
          show(to, { is: "replace" });
        });
        nav.append(slider);
      }
      if (slider) {
        slider.max = made;
        if (document.activeElement !== slider) slider.value = at;
        slider.ariaValueText = `after move ${at} of ${made}`;
      }
    }
    for (const of of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
      if (of.nextElementSibling?.matches("button.copy")) continue;
      const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(of.textContent.trim());
        button.textContent = said.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 2000);
      });
      of.after(button);
    }
    document.querySelectorAll("input[data-seed]:not([type=hidden])").forEach(fill);
    listen();
  };

  // What makes dice that nobody chose: chains of values, each the SHA-256 of the next, which this browser
  // thinks of and keeps. A chain is known by its end, so it is found whatever board it was made for.
  const LINKS = 2000;
  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const place = (end) => `postboard dice ${end}`;
  const chain = async () => {
    const last = hex(crypto.getRandomValues(new Uint8Array(32)));
    let end = last;
    for (let i = 0; i < LINKS; i++) end = await sha256(end);
    localStorage.setItem(place(end), last);
    return end;
  };
  // The value behind another one.
  const behind = async (known, end) => {
    let value = localStorage.getItem(place(end));
    for (let i = 0; value && i < LINKS; i++) {
      const before = await sha256(value);
      if (before === known) return value;
      value = before;
    }
    return "";
  };
  let rolled;
  const fill = async (input) => {
    // Without https browsers have no digests; then it goes on without.
    if (!crypto.subtle) return;
    const { seed: kind, chain: end } = input.dataset;
    if (input.filled && input.filled !== kind) input.value = input.filled = "";
    if (!input.value) try {
      let value = "";
      if (kind === "word") value = await chain();
      else if (kind === "commitment") value = `sha256:${await chain()}`;
      else if (kind !== "chain") value = await behind(kind, end);
      else if (!localStorage.getItem(place(end))) value = `sha256:${await chain()}`;
      if (input.dataset.seed !== kind || input.value) return;
      input.value = value;
      input.filled = value && kind;
    } catch {
      return; // It may keep nothing: then there is no value.
    }
    // A reader who has typed something goes on seeing it.
    input.form?.querySelectorAll("label:has([name=seed])").forEach((label) => (label.hidden = !!input.filled));
    const roll = input.filled && input.form && $("button[data-roll]", input.form);
    if (roll && rolled !== kind && !document.hidden) input.form.requestSubmit(roll, (rolled = kind));
  };

  // Asks in a dialog, over the page that stays as it is. Its form is sent as any other.
  const ask = (question) => {
    const dialog = make("dialog");
    dialog.setAttribute("aria-labelledby", "ask");
    dialog.append(document.adoptNode(question));
    dialog.addEventListener("click", (event) => {
      if (!event.target.closest("[data-cancel]")) return;
      event.preventDefault();
      dialog.close();
    });
    dialog.addEventListener("submit", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  // Fetches a page and shows it here. `is` says what becomes of the address.
  let asked = 0;
  // What somebody does comes before what only brings the page up to date.
  let acts = 0;
  let isStale = false;
  const refresh = () => acts ? (isStale = true) : show(location.href, { is: "stay" });
  const show = async (to, { is = "push", ...request } = {}) => {
    const mine = ++asked;
    acts += is !== "stay";
    main().setAttribute("aria-busy", "true");
    try {
      const reply = await fetch(to, { headers: { accept: "text/html" }, ...request });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (mine !== asked) return;
      const url = new URL(reply.url);
      const question = request.method && $("[data-ask]", page);
      if (question) return ask(question);
      if (!$("#main", page) || reply.redirected && !isHere(url)) return location.assign(url);
      if (is === "stay" && !reply.ok && location.search) return show(location.pathname, { is: "replace" });
      const refocus = focused();
      for (const part of ["header.top", "#main"]) {
        if ($(part) && $(part, page)) morph($(part), document.adoptNode($(part, page)));
      }
      document.title = page.title;
      if (page.body.dataset.events) document.body.dataset.events = page.body.dataset.events;
      else delete document.body.dataset.events;
      // What answers a form has no address of its own: asked for again it would not be there.
      if (/push|replace/.test(is) && (reply.redirected || !request.method) && url.href !== location.href) {
        history[`${is}State`]({}, "", url);
      }
      dress();
      refocus();
    } catch {
      if (mine !== asked) return;
      if (request.method) said.textContent = "The server cannot be reached. Nothing was sent; try again.";
      else if (is !== "stay") location.assign(to);
    } finally {
      if (mine === asked) main().removeAttribute("aria-busy");
      acts -= is !== "stay";
      if (isStale && !acts) {
        isStale = false;
        if (document.body.dataset.events) refresh();
      }
    }
  };

  // A page that nobody sees listens to nothing: browsers allow few open connections to a server.
  let source;
  const listen = () => {
    const at = document.hidden ? undefined : document.body.dataset.events;
    if (source?.at === at) return;
    source?.close();
    source = at && Object.assign(new EventSource(at), { at });
    if (!source) return;
    // Something may have happened since the page was made, or while the line was down; hardly ever
    // where it waits for its reader.
    let isLost = !$("section.turn");
    source.onopen = () => isLost && refresh();
    source.onerror = () => (isLost = true);
    source.onmessage = refresh;
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#main a[href]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.getAttribute("href"), location);
    if (link.hasAttribute("download") || link.getAttribute("target") || url.hash || !isHere(url)) return;
    event.preventDefault();
    show(url);
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const url = new URL(form.getAttribute("action") ?? "", location);
    if (form.hasAttribute("aria-busy")) return event.preventDefault();
    if (event.defaultPrevented || url.origin !== location.origin) return;
    form.setAttribute("aria-busy", "true");
    if (form.method !== "post" && !isHere(url)) return;
    event.preventDefault();
    for (const input of form.querySelectorAll("input[data-seed]")) await fill(input);
    const said = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "post") await show(url, { method: "post", body: said });
    else await show(Object.assign(url, { search: said }));
    form.removeAttribute("aria-busy");
  });

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.metaKey || event.ctrlKey || event.altKey || target.closest("input, textarea, select")) return;
    const ways = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
    const pressed = key === " " ? target.closest("a[data-spot]")
      : ways[key] ? $(`#main a[rel=${ways[key]}]`) : $(`#main [data-key="${CSS.escape(key)}"]`);
    if (!pressed) return;
    event.preventDefault();
    pressed.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  });

  // A man that is dragged is one that is chosen, and then the place where it is let go.
  let drag;
  let isDropped = false;
  const press = (link) => show(new URL(link.getAttribute("href"), location));
  document.addEventListener("pointerdown", (event) => {
    const from = event.target.closest?.("a[data-spot]");
    isDropped = false;
    drag = event.isPrimary && !event.button && from && $(".can", from) && { from, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
    if (!drag) return;
    if (!drag.man && Math.hypot(x - drag.x, y - drag.y) > 8) {
      drag.man = make("div", { className: "man" });
      document.body.append(drag.man);
      drag.chosen = press(drag.from);
    }
    if (drag.man) Object.assign(drag.man.style, { left: `${x}px`, top: `${y}px` });
  });
  const drop = async (event) => {
    if (!drag?.man) return void (drag = undefined);
    const { man, chosen, from } = drag;
    (drag = undefined), (isDropped = true);
    man.remove();
    await chosen;
    const under = event.type === "pointerup" ? document.elementsFromPoint(event.clientX, event.clientY) : [];
    const to = under.map((at) => at.closest("a[data-spot]")).find(Boolean);
    if (to && to.dataset.spot !== from.dataset.spot && $(".target", to)) press(to);
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("dragstart", (event) => event.target.closest?.("[data-spot]") && event.preventDefault());
  document.addEventListener("click", (event) => isDropped && ((isDropped = false), event.preventDefault(), event.stopPropagation()), true);

  addEventListener("popstate", () => show(location.href, { is: "pop" }));
  addEventListener("pageshow", () => document.querySelectorAll("form[aria-busy]").forEach((form) => form.removeAttribute("aria-busy")));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && document.body.dataset.events) refresh();
    listen();
  });
  document.body.append(said);
  dress();
}
