import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { serveLive } from "../../live/server.ts";
import type { LiveSource } from "../../live/source.ts";
import { oddTexts } from "../../../../test/hostile/values.ts";
import { because, browserIsPresent, startBrowser } from "../../../../test/support/browser.ts";
import { goTo, openPage, phone, viewsOf } from "../../../../test/browser/a-page.ts";
import { sampleSource } from "./sample-source.ts";

// Texts of partners, terminals, templates and mails are shown as text, and completely. They never run, load anything or leave their place.

/** Texts that are known to break pages, in addition to those that break the platform. */
const texts = [
  ...oddTexts,
  `<img src=x onerror="window.ran = 'img'">`,
  `"><svg onload="window.ran = 'svg'">`,
  `</pre></textarea></title><script>window.ran = 'script'</script>`,
  `<iframe srcdoc="<script>parent.ran = 'frame'</script>">`,
  `<style>* { display: none }</style>`,
  `<form action="https://elsewhere.example/"><button>Pay</button></form>`,
  `javascript:window.ran='link'`,
  `&lt;b&gt;&amp;&#x27;`,
  `#/faults`,
  "W".repeat(300),
  "\u0301".repeat(200),
  "line\n".repeat(40),
];
/** They enclose a text, so that the test can find all of it. */
const [OPEN, CLOSE] = ["⟪", "⟫"];

/** A source in which every text of a caller holds one of the texts, in turn. */
function hostileSource(): LiveSource {
  let count = 0;
  const next = () => texts[count++ % texts.length] ?? "";
  return sampleSource({ payments: texts.length, say: (where) => `${where}${OPEN}${next()}${CLOSE}` });
}

/**
 * Finds each mark in the texts, values and names of the page. Returns their number, and the marks that no whole text follows. A text counts
 * as it is, as a JSON string, as JSON within JSON, or in shell quotes. It runs in the page, because only the page can hold half a
 * character.
 */
const marksInPage = `(() => {
  const quoted = (text) => JSON.stringify(text).slice(1, -1);
  const inShell = (text) => text.replaceAll("'", "'\\\\''");
  const forms = ${JSON.stringify(texts)}.flatMap((text) => [text, quoted(text), quoted(quoted(text)), inShell(quoted(text))]);
  const shown = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (walk.currentNode.parentElement.tagName !== "SCRIPT") shown.push(walk.currentNode.data);
  for (const element of document.body.querySelectorAll("*")) {
    for (const { value } of element.attributes) shown.push(value);
    if (element.matches("input, textarea, select")) shown.push(element.value);
  }
  let count = 0;
  const broken = [];
  for (const text of shown)
    for (let at = text.indexOf("${OPEN}"); at >= 0; at = text.indexOf("${OPEN}", at + 1)) {
      count++;
      if (!forms.some((form) => text.startsWith(form + "${CLOSE}", at + 1))) broken.push(text.slice(at, at + 400));
    }
  return { count, broken };
})()`;

/** Whether a part of the texts became an element of the page, or ran. */
const madeInPage = `(() => ({
  ran: window.ran,
  scripts: document.scripts.length,
  styles: document.querySelectorAll("style").length,
  forms: document.querySelectorAll("form[action]").length,
  pictures: [...document.images].map(({ src }) => src).filter((src) => !src.startsWith("data:") && src !== new URL("favicon.svg", location.href).href),
  handlers: [...document.querySelectorAll("*")].filter((of) => of.getAttributeNames().some((name) => name.startsWith("on"))).length,
  addresses: [...document.querySelectorAll("[href]")].map((of) => of.getAttribute("href")).filter((href) => /^\\s*(javascript|data:text)/i.test(href)),
}))()`;
const nothingMade = { ran: undefined, scripts: 1, styles: 0, forms: 0, pictures: [], handlers: 0, addresses: [] };

/** Pixels by which the page is wider than the window. */
const overflowOf = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

describe.skipIf(!browserIsPresent)(`the live page and hostile texts${because}`, () => {
  let browser: Browser;
  const servers: (LoopbackServer | Server)[] = [];
  const serve = async (source: LiveSource) => {
    const server = await serveLive({ port: 0, source });
    servers.push(server);
    return server.url;
  };
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    for (const server of servers) await ("stop" in server ? server.stop() : server[Symbol.asyncDispose]());
  });

  it("shows them as text in every view, and keeps them in their places", async () => {
    const source = hostileSource();
    const snapshot = source.snapshot();
    const chosen: Readonly<Record<string, readonly { readonly id: string }[]>> = {
      Payments: [snapshot.payments[0], snapshot.payments[3]].filter((one) => one !== undefined),
      Webhooks: snapshot.webhooks.slice(0, 2),
      Mails: snapshot.mails,
      Requests: snapshot.calls.slice(0, 3),
      Alerts: snapshot.alerts,
    };
    const { page, complaints } = await openPage(browser, await serve(source), {
      viewport: { width: 1280, height: 8_000 }, // tall enough for the whole list of payments
    });
    const seen: Record<string, number> = {};
    for (const view of await viewsOf(page)) {
      for (const id of [undefined, ...(chosen[view] ?? []).map(({ id }) => id)]) {
        const where = `${view} ${id ?? ""}`;
        await goTo(page, view, id);
        const { count, broken } = (await page.evaluate(marksInPage)) as { count: number; broken: string[] };
        expect({ where, broken }).toEqual({ where, broken: [] });
        seen[view] = Math.max(seen[view] ?? 0, count);
        expect({ where, made: await page.evaluate(madeInPage) }).toEqual({ where, made: nothingMade });
        await page.setViewportSize({ ...phone, height: 8_000 });
        expect({ where, overflow: await overflowOf(page) }).toEqual({ where, overflow: 0 });
        await page.setViewportSize({ width: 1280, height: 8_000 });
      }
    }
    expect(seen["Payments"]).toBeGreaterThan(texts.length);
    expect(Object.keys(seen).filter((view) => seen[view] === 0)).toEqual(["Faults"]); // it shows no caller's text
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("keeps a mail's HTML in a frame in which nothing runs, nothing loads, and no link leads away", async () => {
    const requested: string[] = [];
    const elsewhere = createServer((request, response) => {
      requested.push(request.url ?? "");
      response.end();
    });
    servers.push(elsewhere);
    await once(elsewhere.listen(0, "127.0.0.1"), "listening");
    const away = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const html = `<!doctype html>
      <meta http-equiv="refresh" content="0; url=${away}/refresh">
      <link rel="stylesheet" href="${away}/style"><style>@import "${away}/import"; body { background: url(${away}/ground) }</style>
      <script>parent.ran = top.ran = "script"; fetch("${away}/fetch")</script>
      <p id="words">Your code is ABCD-EFGH</p>
      <img src="${away}/picture" onerror="parent.ran = 'picture'"><svg onload="parent.ran = 'svg'"></svg>
      <iframe src="${away}/frame"></iframe><object data="${away}/object"></object><video src="${away}/video"></video>
      <form action="${away}/form"><button id="send">Send</button></form>
      <a id="link" href="${away}/link">Look</a> <a id="top" href="${away}/top" target="_top">Look</a>
      <a id="script" href="javascript:parent.ran='link'">Look</a>`;
    const source = sampleSource();
    const url = await serve({ ...source, mailHtml: () => html });
    const { page } = await openPage(browser, url);
    await goTo(page, "Mails", source.snapshot().mails[0]?.id);
    const frame = page.frameLocator("main iframe");
    await frame.locator("#words").waitFor();
    for (const id of ["#send", "#link", "#top", "#script"]) {
      await frame.locator(id).click();
      await goTo(page, "Counter");
      await goTo(page, "Mails", source.snapshot().mails[0]?.id);
      await frame.locator("#words").waitFor();
    }
    expect(await page.evaluate(madeInPage)).toMatchObject({ ran: undefined, scripts: 1 });
    expect(page.url()).toContain(url);
    expect(requested).toEqual([]);
    await page.context().close();
  });
});
