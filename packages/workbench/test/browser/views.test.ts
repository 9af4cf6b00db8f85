import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { serveLive } from "../../live/server.ts";
import type { LiveSource } from "../../live/source.ts";
import { because, browserIsPresent, startBrowser } from "../../../../test/support/browser.ts";
import { desk, foundByAxe, goTo, openPage, phone, viewsOf } from "../../../../test/browser/a-page.ts";
import { sampleSource } from "./sample-source.ts";

// Each view, with a day's data and without data, for people who do not use a wide bright screen.

const day = sampleSource();
/** A stack on which nothing has happened. */
const nothing: LiveSource = {
  ...day,
  snapshot: () => ({
    ...day.snapshot(),
    payments: [],
    webhooks: [],
    mails: [],
    calls: [],
    alerts: [],
    faults: [],
    receiver: { answer: "200", forwardedTo: "http://127.0.0.1:4242/webhooks" },
  }),
};

/** The chosen item, for views that can show a whole item. */
const chosen: Readonly<Record<string, string | undefined>> = {
  Payments: day.snapshot().payments[3]?.id, // the one with an alert
  Webhooks: day.snapshot().webhooks[2]?.id,
  Mails: day.snapshot().mails[0]?.id,
  Requests: day.snapshot().calls[3]?.id,
};

describe.skipIf(!browserIsPresent)(`the views of the live page${because}`, () => {
  let browser: Browser;
  const servers: LoopbackServer[] = [];
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
    for (const server of servers) await server.stop();
  });

  it("have no fault that Axe finds, at both widths and in both themes", async () => {
    const { page, complaints } = await openPage(browser, await serve(day));
    const found: string[] = [];
    for (const view of await viewsOf(page)) {
      const note = (how: string, lines: readonly string[]) =>
        found.push(...lines.map((line) => `${view}${how}: ${line}`));
      await goTo(page, view, chosen[view]);
      await page.emulateMedia({ colorScheme: "light" });
      note("", await foundByAxe(page));
      await page.emulateMedia({ colorScheme: "dark" }); // only the colours may differ
      note(", dark", await foundByAxe(page, { only: ["color-contrast"] }));
      await page.setViewportSize(phone);
      note(" on a phone", await foundByAxe(page, { without: ["color-contrast"] }));
      await page.setViewportSize(desk);
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("name a terminal, its merchant and its device", async () => {
    const { page } = await openPage(browser, await serve(day));
    const device = "Example Terminals Pocket 1 · serial number SIM-2 · software 1.0.0 · Wi-Fi · battery 87%";
    const line = page.getByRole("listitem").filter({ hasText: device });
    expect(await line.textContent()).toMatch(/^Autopilot 00000002Demo Kiosks 00000010/);
    await goTo(page, "Alerts");
    const alert = await page.getByRole("main").textContent();
    expect(alert).toContain("TerminalAutopilot 00000002MerchantDemo Kiosks 00000010");
    await goTo(page, "Payments", day.snapshot().payments[3]?.id);
    const payment = page.getByRole("article", { name: "The chosen payment" });
    await payment.getByText("MerchantDemo Kiosk 00000010").waitFor();
    await page.context().close();
  });

  it("show a payment's money before the steps of the platform, and its timers only if wanted", async () => {
    const { page } = await openPage(browser, await serve(day));
    await goTo(page, "Payments", day.snapshot().payments[0]?.id);
    const payment = page.getByRole("article", { name: "The chosen payment" });
    const heads = () => payment.getByRole("heading", { level: 2 }).allTextContents();
    const steps = payment.getByRole("table", { name: /happened/ });
    await steps.waitFor({ state: "attached" });
    expect((await heads()).slice(1, 4)).toEqual(["Money", "Changes", "What happened"]);
    expect(await steps.textContent()).not.toContain("deadlines");
    await payment.getByRole("checkbox", { name: "Timers 1" }).check();
    expect(await steps.textContent()).toContain("deadlines");
    await page.setViewportSize(phone);
    await steps.waitFor({ state: "hidden" });
    expect((await heads()).slice(1, 5)).toEqual(["Money", "The operator's account", "Changes", "What happened"]);
    await payment.getByText("Each step of the platform").click();
    await steps.waitFor();
    await page.context().close();
  });

  it("have none before anything has happened either, and say how to begin", async () => {
    const { page, complaints } = await openPage(browser, await serve(nothing));
    const found: string[] = [];
    for (const view of await viewsOf(page)) {
      await goTo(page, view);
      found.push(...(await foundByAxe(page)).map((line) => `${view}: ${line}`));
      expect(await page.getByRole("main").textContent()).toMatch(/\w+ \w+ \w+/);
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
