// What makes the site an app: the service worker, the number of boards that wait, and notices of turns.
//
// What it looks for on a page:
//   body[data-waiting]     the number of boards that wait for the reader: it is shown in the title while the
//                          page is hidden, and on the icon of the app
//   body[data-push]        the reader is signed in, and the server sends notices
//   form[data-push-key]    the form that adds this browser, with the server's key; it is hidden
//   [data-push-none]       what is shown where the browser cannot show notices
//   [data-push-status]     where failures are told
// script.js says "postboard:shown" when it has put in a new page, with that page as `detail.page`.
"use strict";
{
  const $ = (selector, root = document) => root.querySelector(selector);
  const worker = navigator.serviceWorker;
  if (worker) addEventListener("load", () => worker.register("/sw.js").catch(() => {}));

  // The title and the icon.
  const waiting = () => document.body.dataset.waiting;
  let title = document.title;
  const showCount = () => {
    const count = Number(waiting()) ? `(${waiting()}) ` : "";
    const isCounted = document.hidden && waiting() !== undefined;
    document.title = isCounted ? count + title.replace(/^\(\d+\) /, "") : title;
    // A page that does not know the number leaves the icon as it is.
    if (waiting() === undefined) return;
    if (Number(waiting())) navigator.setAppBadge?.(Number(waiting())).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
  };
  document.addEventListener("visibilitychange", showCount);
  // A hidden page does not listen to events, but the service worker tells it of notices.
  worker?.addEventListener("message", ({ data }) => {
    if (!document.hidden || waiting() === undefined) return;
    document.body.dataset.waiting = Math.max(0, Number(waiting()) + (data.open ? 1 : -1));
    showCount();
  });

  // Notices. The browser keeps the id of the subscription that it has sent, to send it again if the browser
  // replaces it.
  const SENT = "postboard push";
  const DECLINED = "postboard push declined";
  const canPush = worker && "PushManager" in window && "Notification" in window;
  const isOn = () => document.body.dataset.push !== undefined;
  const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const store = (name, value) => { try { localStorage.setItem(name, value); } catch { /* forbidden */ } };
  const idOf = async (endpoint) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
    return [...new Uint8Array(digest).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const bytes = (base64url) =>
    Uint8Array.from(atob(base64url.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  // Returns the form that adds this browser, if need be from the page of the settings.
  const subscriptionForm = async () => {
    if ($("form[data-push-key]")) return $("form[data-push-key]");
    const reply = await fetch("/settings", { headers: { accept: "text/html" } });
    return $("form[data-push-key]", new DOMParser().parseFromString(await reply.text(), "text/html"));
  };
  // Returns the reason that a page of the server gives for a refusal.
  const reasonIn = async (reply) => {
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    return ($(".problem", page) ?? $("#main p:not(.notice)", page))?.textContent.trim() || `The server answered ${reply.status}.`;
  };
  // Adds this browser. Returns why the server refuses it, or nothing.
  const subscribe = async () => {
    const form = await subscriptionForm();
    if (!form) return "You are not signed in any more. Sign in first.";
    const { pushManager } = await worker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: bytes(form.dataset.pushKey) };
    const again = async (error) => {
      // The browser has a subscription to another key of the server.
      if (error.name !== "InvalidStateError") throw error;
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    };
    const subscription = await pushManager.subscribe(options).catch(again);
    const { endpoint, keys } = subscription.toJSON();
    const fields = new URLSearchParams(new FormData(form));
    for (const [name, value] of Object.entries({ endpoint, key: keys.p256dh, secret: keys.auth })) fields.set(name, value);
    const reply = await fetch("/push/subscribe", { method: "post", body: fields });
    if (!reply.ok) return reasonIn(reply);
    store(SENT, await idOf(endpoint));
  };
  const turnOn = async (tell) => {
    try {
      if (await Notification.requestPermission() !== "granted") return tell("Your browser does not allow notices of this site. Allow them in its settings, and try again.");
      const refusal = await subscribe();
      return refusal ? tell(refusal) : tell("This device tells you when it is your turn.", true);
    } catch (error) {
      return tell(`Notices could not be turned on: ${error.message}`);
    }
  };
  const renew = async () => {
    if (!canPush || !isOn() || !stored(SENT) || Notification.permission !== "granted") return;
    const subscription = await (await worker.ready).pushManager.getSubscription();
    if (!subscription || await idOf(subscription.endpoint) !== stored(SENT)) await subscribe();
  };

  // On the page of the settings.
  const showForm = () => {
    const form = $("form[data-push-key]");
    if (!form || !canPush || Notification.permission === "denied") return;
    form.hidden = false;
    $("[data-push-none]")?.setAttribute("hidden", "");
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("form[data-push-key]")) {
      event.preventDefault();
      turnOn((words, isDone) => isDone ? location.reload() : ($("[data-push-status]").textContent = words));
    }
    // Signing out ends the notices of this device on the server; the next user decides anew. Signing out
    // everywhere is asked about before.
    const action = form.getAttribute("action");
    const isSignOut = action === "/signout" && (!$("[name=everywhere]", form) || $("[name=sure]", form));
    if (isSignOut || action === "/push/unsubscribe" && new FormData(form).get("id") === stored(SENT)) {
      try { localStorage.removeItem(SENT); } catch { /* forbidden */ }
      if (canPush) worker.ready.then(({ pushManager }) => pushManager.getSubscription()).then((it) => it?.unsubscribe());
    }
    if (form.method === "post" && boardOf(new URL(form.action).pathname)) hasPlayed = true;
  }, true);

  // After a move.
  let hasPlayed = false;
  const boardOf = (path) => path.match(/^\/([a-z]+\/\d+)(?=\/|$)/)?.[1];
  const offer = () => {
    const isAsked = Notification.permission !== "default" || stored(DECLINED) || $(".offer-notices");
    if (!hasPlayed || !isOn() || isAsked || $("#main [role=alert]")) return;
    const bar = Object.assign(document.createElement("aside"), { className: "offer-notices", ariaLabel: "Notices" });
    const words = Object.assign(document.createElement("p"), { textContent: "Shall this device tell you when it is your turn?" });
    words.setAttribute("role", "status");
    const button = (textContent, className, press) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent, className });
      made.addEventListener("click", press);
      return made;
    };
    const yes = button("Yes, notify me", "main", async () => {
      await turnOn((said) => (words.textContent = said));
      yes.remove();
      no.textContent = "Close";
    });
    const no = button("No, thanks", "", () => (store(DECLINED, "yes"), bar.remove()));
    bar.append(words, yes, no);
    $("#main").before(bar);
  };

  // A board that is looked at needs no notice.
  const closeNotices = async () => {
    const tag = boardOf(location.pathname);
    const registration = tag && await worker?.getRegistration();
    (await registration?.getNotifications?.({ tag }) ?? []).forEach((it) => it.close());
  };

  const shown = () => {
    showCount();
    showForm();
    closeNotices().catch(() => {});
    if (canPush) offer();
  };
  document.addEventListener("postboard:shown", ({ detail }) => {
    const now = detail?.page?.body.dataset ?? {};
    for (const name of ["waiting", "push"]) {
      if (now[name] === undefined) delete document.body.dataset[name];
      else document.body.dataset[name] = now[name];
    }
    // The colours of boards and men.
    const look = detail?.page?.documentElement.dataset ?? {};
    for (const name of ["board", "men"]) {
      if (look[name] === undefined) delete document.documentElement.dataset[name];
      else document.documentElement.dataset[name] = look[name];
    }
    title = document.title;
    shown();
  });
  shown();
  renew().catch(() => {});
}
