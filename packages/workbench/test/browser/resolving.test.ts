import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { serveLive } from "../../live/server.ts";
import type { AlertView } from "../../live/views/alerts.ts";
import { Refusal, type LiveSource } from "../../live/source.ts";
import { because, browserIsPresent, startBrowser } from "../../../../test/support/browser.ts";
import { foundByAxe, goTo, openPage } from "../../../../test/browser/a-page.ts";
import { sampleSource } from "./sample-source.ts";

// An operator's decision on the page. Nothing is suggested, nothing happens before its consequences were shown, and only what was shown
// happens.

const day = sampleSource();
const [open] = day.snapshot().alerts as [AlertView];
const settled: AlertView = { ...open, id: "alert-2", kind: "unwantedApproval", isOver: true, outcomes: [] };
/** The terminal fell silent during a partial capture, so several amounts are possible. The payment changes once. */
const moving: LiveSource = {
  ...day,
  snapshot: () => ({ ...day.snapshot(), alerts: [settled, ...day.snapshot().alerts] }),
  async preview(_, said) {
    if (said.of === "payment" && said.outcome === "paid" && said.amount === undefined)
      throw new Refusal("The amount is required: 125.50 SEK or 50.00 SEK is possible.");
    return { sequence: 4, sentences: ["The merchant then has 50.00 SEK from this payment."] };
  },
  async resolve(_, input) {
    day.done.push(input);
    if (input.sequence === 4) return { sequence: 6, sentences: ["A void of 75.50 SEK is sent to the terminal."] };
    return undefined;
  },
};

describe.skipIf(!browserIsPresent)(`an operator at the live page${because}`, () => {
  let browser: Browser;
  let server: LoopbackServer;
  beforeAll(async () => {
    browser = await startBrowser();
    server = await serveLive({ port: 0, source: moving });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  it("enters an amount, sees the consequences, and sees them again if the payment has changed", async () => {
    const { page } = await openPage(browser, server.url);
    await goTo(page, "Alerts");
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Outcome unknown",
      "Unwanted approval",
      "Queues",
    ]);
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const record = page.getByRole("button", { name: "Record the outcome" });
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await press("Show the consequences"); // the browser reports the missing fields
    expect(await page.evaluate("document.activeElement.type")).toBe("radio");

    await page.getByRole("radio", { name: "The payment is paid." }).check();
    expect(await page.getByLabel("Captured amount").inputValue()).toBe("");
    await page.getByLabel("Decided by").first().fill("ada");
    await page.getByLabel("Why").first().fill("the acquirer's list");
    await page.getByLabel("Why").first().press("Enter");
    await page.getByRole("alert").getByText("The amount is required: 125.50 SEK or 50.00 SEK is possible.").waitFor();
    expect(await record.count()).toBe(0);
    await page.getByLabel("Captured amount").fill("50,00");
    await press("Show the consequences");
    await page.getByText("The merchant then has 50.00 SEK from this payment.").waitFor();
    expect(await foundByAxe(page)).toEqual([]);

    await page.getByLabel("Captured amount").fill("5");
    expect(await record.count()).toBe(0); // a different decision from the previewed one
    await page.getByLabel("Captured amount").fill("50");
    await press("Show the consequences");
    await press("Record the outcome");
    await page.getByText("The payment has changed, so nothing was done. The consequences are now:").waitFor();
    await page.getByText("A void of 75.50 SEK is sent to the terminal.").waitFor();
    await press("Record the outcome");
    await page.getByText("The decision is recorded.").waitFor();
    const said = { of: "payment", outcome: "paid", amount: 50, by: "ada", why: "the acquirer's list" };
    expect(day.done).toEqual([
      { sequence: 4, said },
      { sequence: 6, said },
    ]);
    await page.context().close();
  });
});
