// Lighthouse's marks of pages. Arguments: the folder of npm's packages, and JSON: a list of
// { url, cookie, width, categories }. Prints a line of JSON a page: which it was
// in the end, its marks, of 100, and what cost some of them.
"use strict";
const [modules, wanted] = process.argv.slice(2);

const settings = ({ width, categories }) => {
  const isPhone = width < 700;
  return {
    onlyCategories: categories,
    formFactor: isPhone ? "mobile" : "desktop",
    screenEmulation: { width, height: 900, deviceScaleFactor: isPhone ? 2 : 1, mobile: isPhone, disabled: false },
    // The home is on this machine: how a page does on a slow line is computed, not waited for.
    throttlingMethod: "simulate",
  };
};

// The mean of the audits by their weights.
const mark = (audits, { auditRefs }) => {
  const counted = auditRefs.filter(({ id, weight }) => weight && audits[id].score !== null);
  const sum = (of) => counted.reduce((total, audit) => total + of(audit), 0);
  return Math.round((100 * sum(({ id, weight }) => weight * audits[id].score)) / sum(({ weight }) => weight));
};

const told = ({ lhr }) => {
  const marks = Object.values(lhr.categories).map((category) => [category.id, mark(lhr.audits, category)]);
  const lost = Object.values(lhr.categories).flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight && (lhr.audits[id].score ?? 1) < 0.9)
    .map(({ id }) => `${id}: ${lhr.audits[id].displayValue ?? lhr.audits[id].title}`);
  const { finalDisplayedUrl: url, runtimeError } = lhr;
  return { url, marks: Object.fromEntries(marks), lost, error: runtimeError?.message };
};

// The browser has those cookies of the page and no others, whatever earlier pages have left to it.
const dress = async (jar, { url, cookie }) => {
  await jar.send("Storage.clearCookies");
  const cookies = cookie.split("; ").filter(Boolean).map((pair) => {
    const [name, value] = pair.split("=");
    return { name, value, url, httpOnly: true };
  });
  await jar.send("Storage.setCookies", { cookies });
};

(async () => {
  const { connect } = (await import(`${modules}/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js`)).default;
  const { default: lighthouse, desktopConfig } = await import(`${modules}/lighthouse/core/index.js`);
  const { launch } = await import(`${modules}/chrome-launcher/dist/index.js`);
  const pages = JSON.parse(wanted);
  const chromium = await launch({
    chromePath: "/usr/bin/chromium-headless-shell",
    chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"],
  });
  const browser = await connect({ browserURL: `http://127.0.0.1:${chromium.port}` });
  const jar = await browser.target().createCDPSession();
  for (const page of pages) {
    await dress(jar, page);
    const config = page.width < 700 ? undefined : desktopConfig;
    const found = await lighthouse(page.url, { port: chromium.port, ...settings(page) }, config);
    console.log(JSON.stringify(told(found)));
  }
  await browser.disconnect();
  chromium.kill();
})();
