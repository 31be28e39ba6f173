// The service worker. The program puts VERSION, FILES and ICON before this text, so the worker changes with
// the files that it keeps, and browsers install the new one.
//
// It never keeps a page: a board that was true yesterday would be believed. It keeps the offline page with
// its style, and files whose names have a digest.
"use strict";
const CACHE = `postboard-${VERSION}`;
const OFFLINE = "/offline";

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  // The page that registers the worker has just loaded the files with a digest.
  const request = (path) => new Request(path, { cache: path === OFFLINE ? "reload" : "default", credentials: "omit" });
  await cache.addAll(FILES.map(request));
  await self.skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("postboard-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  // The browser asks for a page while this worker starts.
  await registration.navigationPreload?.enable();
  await clients.claim();
})()));

const kept = async (path) => (await caches.open(CACHE)).match(path);

const page = async (event) => {
  try {
    return await event.preloadResponse ?? await fetch(event.request);
  } catch {
    return await kept(OFFLINE) ?? Response.error();
  }
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (pathname.startsWith("/assets/") && FILES.includes(pathname)) {
    event.respondWith(kept(pathname).then((found) => found ?? fetch(request)));
  }
});

// A notice of a turn, or its withdrawal. Browsers want every message to show something, so a notice that is
// not needed is shown silently and closed at once.
const notify = async ({ title, tag, url, open }) => {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const isSeen = windows.some((it) => it.visibilityState === "visible" && new URL(it.url).pathname === url);
  const isNeeded = open && !isSeen;
  await registration.showNotification(title, { tag, data: { url }, silent: !isNeeded, icon: ICON, badge: ICON });
  windows.forEach((it) => it.postMessage({ open }));
  if (isNeeded) return void (await navigator.setAppBadge?.());
  const shown = await registration.getNotifications();
  shown.filter((it) => it.tag === tag).forEach((it) => it.close());
  if (shown.every((it) => it.tag === tag)) await navigator.clearAppBadge?.();
};

addEventListener("push", (event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

addEventListener("notificationclick", (event) => {
  const { url } = event.notification.data;
  event.notification.close();
  event.waitUntil((async () => {
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const shown = windows.find((it) => new URL(it.url).pathname === url);
    return shown ? shown.focus() : clients.openWindow(url);
  })());
});
