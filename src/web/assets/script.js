// Updates pages in place. Pages also work without this script: it follows the links and sends the forms
// that are there, and puts the response in place of what has changed.
//
// What it looks for on a page:
//   body[data-events]           the address of server-sent events about changes
//   a[rel=first|prev|next|last] the links through the moves: Home, Left, Right, End
//   [data-key=u]                a link or button with its key
//   a[data-spot]                a spot of a board: a man is dragged from one with .can to one with .target
//   nav.steps[data-path][data-at][data-made]  gets a slider; the positions are at PATH/0, PATH/1 ...
//   [data-copy]                 gets a button that copies its text
//   [data-ask]                  the question in the response to a form: it is shown in a dialog
//   input[data-seed]            the player's part of the dice: `commitment`, `word`, `chain`, or the SHA-256
//                               of the value to fill in; [data-chain] is the end of its chain
//   input[data-zone]            an empty one gets the time zone of the browser, which its user can send
//   button[data-roll]           is pressed once its value is filled in
//   ol.record                   is scrolled to its current move
//   [data-kept]                 was added by this script, and stays
//   form[data-save]             is sent when one of its choices changes; html[data-scripts] then hides its button
//   [autofocus]                 gets the focus in the response to a form
"use strict";
{
  const $ = (selector, root = document) => root.querySelector(selector);
  const main = () => $("#main");
  const board = (path) => path.match(/^\/(?:[a-z]+\/\d+|study\/[a-z]+)(?=\/|$)/)?.[0];
  const isHere = (url) => url.origin === location.origin
    && (url.pathname === location.pathname || board(url.pathname) && board(url.pathname) === board(location.pathname));
  const make = (tag, properties) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.dataset.kept = "";
    return made;
  };
  const status = make("p", { className: "said", role: "status" });
  // Shows a message at the edge of the window: a fault until the next action, other news for a moment.
  const tell = (text, isFault) => {
    status.textContent = text;
    status.classList.toggle("fault", !!isFault);
    clearTimeout(tell.timer);
    if (text && !isFault) tell.timer = setTimeout(() => (status.textContent = ""), 4000);
  };
  const isAdded = (node) => node.dataset?.kept !== undefined;
  const identity = (node) => node.nodeName + (node.id || node.dataset?.spot || "");

  // Changes one tree into another. Equal parts stay, with typed text and scroll positions.
  const morph = (old, now) => {
    if (old.isEqualNode(now)) return;
    if (identity(old) !== identity(now)) return old.replaceWith(now);
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.nodeValue = now.nodeValue);
    const isSynced = (attribute) => attribute !== "open" || old.nodeName !== "DETAILS";
    for (const { name } of [...old.attributes]) {
      if (!now.hasAttribute(name) && isSynced(name)) old.removeAttribute(name);
    }
    for (const { name, value } of now.attributes) {
      if (old.getAttribute(name) !== value && isSynced(name)) old.setAttribute(name, value);
    }
    const before = [...old.childNodes].filter((node) => !isAdded(node));
    const after = [...now.childNodes];
    const ids = new Set(after.map((node) => node.id).filter(Boolean));
    after.forEach((node, i) => {
      // An element with an id stays when others come or go before it.
      const at = node.id ? before.findIndex((other, j) => j > i && other.id === node.id) : -1;
      if (at > 0) {
        const [found] = before.splice(at, 1);
        before.splice(i, 0, found);
        old.insertBefore(found, before[i + 1]);
      } else if (before[i]?.id && before[i].id !== node.id && ids.has(before[i].id)) {
        old.insertBefore(node, before[i]);
        return void before.splice(i, 0, node);
      }
      if (before[i]) return morph(before[i], node);
      old.insertBefore(node, [...old.childNodes].find(isAdded) ?? null);
    });
    before.slice(after.length).forEach((node) => node.remove());
  };

  // Returns a function that moves the focus back to its element, or to the element that replaced it.
  const rememberFocus = () => {
    const focused = document.activeElement;
    if (!main().contains(focused)) return () => {};
    const keys = ["id", "data-spot", "rel", "href", "name"].filter((key) => focused.getAttribute(key));
    const selectors = keys.map((key) => `${focused.nodeName}[${key}="${CSS.escape(focused.getAttribute(key))}"]`);
    if (focused.dataset.spot) selectors.push("a[data-spot]:has(.target)", "a[data-spot]", "section.turn button.main");
    // Without a successor the focus goes to what can be done next, at least to the page.
    selectors.push(".bar .main", ".bar :is(a, button)", "a[data-spot]");
    return () => {
      if (focused.isConnected && document.activeElement === focused) return;
      const found = selectors.map((selector) => $(selector, main()));
      // An element that was moved has lost the focus.
      for (const next of [focused.isConnected ? focused : null, ...found, main()]) {
        next?.focus({ preventScroll: true });
        // What is folded away does not take the focus.
        if (next && document.activeElement === next) return;
      }
    };
  };

  // Adds sliders and copy buttons, fills in values for the dice, and listens to events.
  const enhance = () => {
    for (const nav of document.querySelectorAll("nav.steps[data-made]")) {
      const { at, made } = nav.dataset;
      let slider = $("input", nav);
      if (!slider && made > 1) {
        slider = make("input", { type: "range", min: 0, ariaLabel: "Move" });
        slider.addEventListener("input", () => {
          const { path } = nav.dataset;
          const to = slider.value === slider.max ? path : `${path}/${slider.value}`;
          show(to, { history: "replace" });
        });
        nav.append(slider);
      }
      if (slider) {
        slider.max = made;
        if (document.activeElement !== slider) slider.value = at;
        slider.ariaValueText = `after move ${at} of ${made}`;
      }
    }
    for (const source of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
      if (source.nextElementSibling?.matches("button.copy")) continue;
      const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(source.textContent.trim());
        button.textContent = "Copied";
        tell("Copied");
        setTimeout(() => (button.textContent = "Copy"), 2000);
      });
      source.after(button);
    }
    document.querySelectorAll("input[data-seed]:not([type=hidden])").forEach(fillSeed);
    for (const field of document.querySelectorAll("input[data-zone]")) {
      field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone || "";
    }
    document.querySelectorAll("svg.board").forEach(letFingersDrag);
    for (const list of document.querySelectorAll("ol.record")) {
      const current = $("[aria-current]", list);
      if (!current || list.shown === current.href) continue;
      list.shown = current.href;
      const { offsetTop, clientHeight } = current.parentNode;
      list.scrollTop = offsetTop - list.offsetTop - (list.clientHeight - clientHeight) / 2;
    }
    listen();
  };

  // Values for dice that nobody can choose. A chain is a list of random values, each the SHA-256 of the next.
  // The browser stores the last value under the end of its chain, whatever board the chain was made for.
  const CHAIN_LENGTH = 2000;
  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const storageKey = (end) => `postboard dice ${end}`;
  // Makes a chain and returns its end.
  const newChain = async () => {
    const last = hex(crypto.getRandomValues(new Uint8Array(32)));
    let end = last;
    for (let i = 0; i < CHAIN_LENGTH; i++) end = await sha256(end);
    localStorage.setItem(storageKey(end), last);
    return end;
  };
  // Returns the value whose SHA-256 is `digest`, or "".
  const nextValue = async (digest, end) => {
    let value = localStorage.getItem(storageKey(end));
    for (let i = 0; value && i < CHAIN_LENGTH; i++) {
      const before = await sha256(value);
      if (before === digest) return value;
      value = before;
    }
    return "";
  };
  // The value for which the button was pressed last.
  let rolled;
  const fillSeed = async (input) => {
    // Browsers compute digests over https only. The field stays empty then.
    if (!crypto.subtle) return;
    const { seed: kind, chain: end } = input.dataset;
    if (input.filled && input.filled !== kind) input.value = input.filled = "";
    if (!input.value) try {
      let value = "";
      if (kind === "word") value = await newChain();
      else if (kind === "commitment") value = `sha256:${await newChain()}`;
      else if (kind !== "chain") value = await nextValue(kind, end);
      else if (!localStorage.getItem(storageKey(end))) value = `sha256:${await newChain()}`;
      if (input.dataset.seed !== kind || input.value) return;
      input.value = value;
      input.filled = value && kind;
    } catch {
      return; // The browser forbids storage. The field stays empty.
    }
    // Fields that are filled in are hidden; a field in which the player has typed stays.
    input.form?.querySelectorAll("label:has([name=seed])").forEach((label) => (label.hidden = !!input.filled));
    const roll = input.filled && input.form && $("button[data-roll]", input.form);
    if (roll && rolled !== kind && !document.hidden) input.form.requestSubmit(roll, (rolled = kind));
  };

  // Shows a question in a dialog. Its form is sent like any other.
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

  // Returns whether the page has text that was typed and not sent.
  const hasDraft = () => [...main().querySelectorAll("textarea, input:not([type])")].some((field) => field.value !== field.defaultValue);
  const isSignedIn = (root) => !!$("form[action='/signout']", root);

  // Returns whether an address is a step on this page: a step of a move, or from one earlier position to
  // another. Steps are no pages to go back to.
  const isStep = (url) => {
    const place = ({ pathname }) => pathname.replace(/(\/\d+)\/\d+$/, "$1/past");
    return place(url) === place(location);
  };

  let lastRequest = 0;
  // Updates of the page wait for the player's own actions.
  let actions = 0;
  let isStale = false;
  const refresh = () => {
    if (actions) isStale = true;
    // A form that is shown again stays until it is sent.
    else if (!$(".problem, .kept-form")) show(location.href, { history: "keep" });
  };
  // Fetches a page and shows it here. `mode` says what happens to the history: push, replace, pop, or keep
  // for an update.
  const show = async (to, { history: mode = "push", form, ...request } = {}) => {
    const own = ++lastRequest;
    actions += mode !== "keep";
    if (mode !== "keep") tell("");
    main().setAttribute("aria-busy", "true");
    try {
      const reply = await fetch(to, { headers: { accept: "text/html" }, ...request });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      if (own !== lastRequest) return;
      const url = new URL(reply.url);
      // A notice is told once: the address of its page is the one without it.
      if (url.searchParams.has("notice")) url.searchParams.delete("notice");
      const question = request.method && $("[data-ask]", page);
      if (question) return ask(question);
      // An error page would take what was typed with it.
      if (request.method && !reply.ok && $("#main", page) && !$("#main form", page)) {
        const told = [...page.querySelectorAll("#main :is(h1, p:not(:has(a)))")].map((it) => it.textContent);
        return tell(told.join(": ") || "That did not work.", true);
      }
      if (!$("#main", page) || reply.redirected && !isHere(url)) return location.assign(url);
      if (mode === "keep" && !reply.ok && location.search) return show(location.pathname, { history: "replace" });
      if (mode === "keep" && isSignedIn(document) && !isSignedIn(page) && hasDraft()) {
        return tell("You were signed out. What you wrote is still here: when you send it, you can sign in.", true);
      }
      if (reply.ok) form?.reset();
      const restoreFocus = rememberFocus();
      // An update does not take back what an action has told.
      const [told, untold] = [document, page].map((root) => $(".notice", root));
      if (mode === "keep" && told && untold) untold.textContent ||= told.textContent;
      for (const part of ["header.top", "#main"]) {
        if ($(part) && $(part, page)) morph($(part), document.adoptNode($(part, page)));
      }
      document.title = page.title;
      if (page.body.dataset.events) document.body.dataset.events = page.body.dataset.events;
      else delete document.body.dataset.events;
      // The response to a form has no address of its own.
      if (/push|replace/.test(mode) && (reply.redirected || !request.method) && url.href !== location.href) {
        history[isStep(url) ? "replaceState" : `${mode}State`]({}, "", url);
      }
      enhance();
      const icons = [document, page].map((root) => $("link[rel=icon]", root));
      if (icons.every(Boolean) && icons[0].href !== icons[1].href) icons[0].replaceWith(document.adoptNode(icons[1]));
      const first = request.method && $("[autofocus]", main());
      if (first) first.focus();
      else restoreFocus();
      document.dispatchEvent(new CustomEvent("postboard:shown", { detail: { page } }));
    } catch {
      if (own !== lastRequest) return;
      if (request.method) tell("The server cannot be reached. Nothing was sent. Try again.", true);
      else if (mode !== "keep") location.assign(to);
    } finally {
      if (own === lastRequest) main().removeAttribute("aria-busy");
      actions -= mode !== "keep";
      if (isStale && !actions) {
        isStale = false;
        if (document.body.dataset.events) refresh();
      }
    }
  };

  // Hidden pages do not listen: browsers allow few open connections to a server.
  let source;
  const listen = () => {
    const address = document.hidden ? undefined : document.body.dataset.events;
    if (source?.address === address) return;
    source?.close();
    source = address && Object.assign(new EventSource(address), { address });
    if (!source) return;
    // The page may have changed before the connection was opened, or while it was interrupted. A page that
    // waits for its reader's move hardly ever changes.
    let mayHaveMissed = !$("section.turn");
    source.onopen = () => mayHaveMissed && refresh();
    source.onerror = () => (mayHaveMissed = true);
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
    for (const input of form.querySelectorAll("input[data-seed]")) await fillSeed(input);
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "post") await show(url, { method: "post", body: fields, form });
    else await show(Object.assign(url, { search: fields }));
    form.removeAttribute("aria-busy");
  });

  document.documentElement.dataset.scripts = "";
  document.addEventListener("change", ({ target }) => target.closest?.("form[data-save]")?.requestSubmit());

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.metaKey || event.ctrlKey || event.altKey || target.closest("input, textarea, select")) return;
    const links = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
    const pressed = key === " " ? target.closest("a[data-spot]")
      : links[key] ? $(`#main a[rel=${links[key]}]`) : $(`#main [data-key="${CSS.escape(key)}"]`);
    if (!pressed) return;
    event.preventDefault();
    pressed.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  });

  // Dragging a man follows two links: the one that chooses it, and the one of the spot where it is dropped.
  let drag;
  let isDropped = false;
  const follow = (link) => show(new URL(link.getAttribute("href"), location));
  // A finger on a man drags it; elsewhere it scrolls the page. The touch belongs to the element where it
  // began, even when that is replaced.
  const stayPut = (event) => event.cancelable && event.touches.length === 1 && event.preventDefault();
  const letFingersDrag = (svg) => {
    if (svg.isDraggable) return;
    svg.isDraggable = true;
    svg.addEventListener("touchstart", ({ target }) => {
      if (target.closest("a[data-spot]:has(.can)")) target.addEventListener("touchmove", stayPut, { passive: false });
    }, { passive: false });
  };
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
      drag.chosen = follow(drag.from);
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
    const to = under.map((element) => element.closest("a[data-spot]")).find(Boolean);
    if (to && to.dataset.spot !== from.dataset.spot && $(".target", to)) follow(to);
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("dragstart", (event) => event.target.closest?.("[data-spot]") && event.preventDefault());
  document.addEventListener("click", (event) => isDropped && ((isDropped = false), event.preventDefault(), event.stopPropagation()), true);

  addEventListener("popstate", () => show(location.href, { history: "pop" }));
  addEventListener("pageshow", () => document.querySelectorAll("form[aria-busy]").forEach((form) => form.removeAttribute("aria-busy")));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && document.body.dataset.events) refresh();
    listen();
  });
  document.body.append(status);
  enhance();
}
