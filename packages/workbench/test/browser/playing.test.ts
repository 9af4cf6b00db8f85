import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLive, type Live } from "../../live/live.ts";
import { startStack, type Stack } from "../../stack/stack.ts";
import { samplePayment } from "../../first-payment.ts";
import { because, browserIsPresent, startBrowser } from "../../../../test/support/browser.ts";
import { openPage } from "../../../../test/browser/a-page.ts";
import { aPerson } from "../../../../test/browser/a-person.ts";

// A person uses the page of a running stack, with no other tool than the page. The tests share one terminal, and run in order.

/**
 * The doubt about a terminal that lost its memory, and a day that differs, raise an alert soon. Steps of a person keep their usual time.
 */
const settings = { DOUBT_SECONDS: "2", OUTCOME_SECONDS: "5", ANSWER_SECONDS: "5", DAY_GRACE_SECONDS: "2" };

describe.skipIf(!browserIsPresent)(`a person at the live page${because}`, () => {
  let directory: string;
  let live: Live | undefined;
  let stack: Stack | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let complaints: string[];
  /** The number of refused actions. The browser logs each of them. */
  let refused = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "live-"));
    live = await startLive({ port: 0 });
    stack = await startStack({ ports: "free", directory, paceMs: 20, settings, ...live.watching });
    live.show(stack);
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, live.url));
    page.setDefaultTimeout(30_000);
  });
  afterAll(async () => {
    await browser?.close();
    await live?.leave();
    await stack?.stop();
    await live?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const { named, press, display, verdict, shows, saysOfIt, go, prompted, paid, openPayment, alertOf, close } = aPerson(
    () => page,
  );

  it("taps a card, and sees what every part of the platform did for it", async () => {
    await paid("101.00");
    await shows(display(), /approved/i);
    const payment = await openPayment("101.00");
    const lanes = payment.getByRole("table", { name: /happened/i });
    for (const lane of ["Partner", "Gateway", "Function", "Queue", "Worker", "Terminal", "Webhook"])
      await lanes.getByRole("cell", { name: lane }).first().waitFor({ state: "attached" });
    await go("Webhooks");
    await page.getByRole("list", { name: "Events" }).getByRole("link").first().click();
    await shows(page.getByRole("main"), "signature valid");
  });

  it("has the card declined", async () => {
    await prompted("102.00");
    await press("Request payment");
    const refusal = page.getByRole("alert").getByText(/The terminal is busy/);
    await refusal.waitFor();
    refused++;
    const terminal = page.getByRole("combobox", { name: "Terminal", exact: true });
    await terminal.selectOption({ label: "Autopilot (plays by itself)" });
    await refusal.waitFor({ state: "detached" }); // no action reached another terminal
    await terminal.selectOption({ label: "Counter (you play it)" });
    await press("Request payment");
    await refusal.waitFor();
    refused++;
    await press("Decline card");
    await saysOfIt("declined");
    await refusal.waitFor({ state: "detached" }); // the terminal is free
  });

  it("adds a tip of its own, up to the maximum", async () => {
    await go("Counter");
    const till = page.getByRole("group", { name: "Tip", exact: true });
    await till.getByRole("radio", { name: "ask for one" }).check();
    await prompted("100.00");
    await press("20.00 SEK");
    await shows(display(), "120.00");
    const tip = page.getByRole("group", { name: "The tip" });
    const [own, add] = [tip.getByRole("textbox", { name: "Own tip" }), tip.getByRole("button", { name: "Own tip" })];
    await own.fill("30.01");
    await expect.poll(() => add.isDisabled()).toBe(true);
    await own.fill("12.50");
    await press("Own tip");
    await shows(display(), /tip 12\.50/);
    await press("Tap card");
    await saysOfIt(/112\.50 SEK\s*12\.50 SEK tip/);
    await till.getByRole("radio", { name: "none" }).check();
  });

  it("pays while the shop cancels: the money is released", async () => {
    await prompted("103.00");
    await press("Lose it");
    await press("Tap card");
    await press("Cancel payment");
    await saysOfIt("cancel requested");
    await press("Find it again");
    await saysOfIt("voided");
  });

  it("gets a partial refund", async () => {
    await paid("104.00");
    await page.getByRole("textbox", { name: "Amount of the refund" }).fill("40.00");
    await press("Refund");
    await saysOfIt(/40\.00 SEK of 104\.00 SEK refunded/);
  });

  it("is charged on a second card, and that charge is reversed", async () => {
    await paid("105.00");
    await press("Second card");
    await shows(display(), "Second card's charge reversed");
    await saysOfIt(/of 105\.00 SEK.* was reversed at /);
    expect(
      await verdict()
        .getByText(/An operator is called/)
        .count(),
    ).toBe(0); // nothing is left to do
    const payment = await openPayment("105.00");
    await expect.poll(() => payment.getByText("Charge", { exact: false }).count()).toBeGreaterThan(1);
    await shows(payment, "reversed");
    const correction = payment.locator("summary", { hasText: "Correct the outcome" });
    await correction.waitFor();
    const kept = payment.getByRole("radio", { name: /^The merchant keeps the charge of 105\.00 SEK on / });
    expect(await kept.count()).toBe(0); // folded, because nothing is left to do
    await correction.press("Enter");
    expect(await kept.count()).toBe(2);
    await go("Alerts");
    const alert = alertOf("Unwanted approval");
    await shows(alert, /^Nothing is left to do: close the alert\. The charge of 105\.00 SEK .* was reversed at .*\.$/);
    await alert.getByText("It meant", { exact: true }).waitFor();
    expect(await alert.getByRole("radio").count()).toBe(0); // rightly no decision about the payment is offered
    await close(alert);
    await go("Counter");
    await saysOfIt("The merchant has 105.00 SEK from this payment.");
  });

  it("is charged on no second card while another payment waits, and after that was cancelled", async () => {
    expect(await named("Second card").isEnabled()).toBe(true);
    await prompted("20.00");
    expect(await named("Second card").isEnabled()).toBe(false);
    await press("Press cancel");
    await saysOfIt("cancelled");
    expect(await named("Second card").isEnabled()).toBe(false);
  });

  it("closes the terminal's day correctly, then with a payment left out, then correctly again", async () => {
    await paid("112.00");
    const day = page.locator("section").filter({ has: page.getByRole("heading", { name: "Business day" }) });
    await shows(day, /capture.* SEK/);
    await press("Close the day");
    await shows(day, "The terminal's totals equal the books.");

    await press("Leave a payment out");
    await shows(day, /charge: terminal .*; the books have more/);
    await day
      .getByRole("link", { name: "The terminal's totals differ from the books. An operator is called." })
      .click();
    const alert = alertOf("Day differs");
    await shows(alert, /the books have more/);
    await alert.getByRole("link", { name: /112\.00 SEK/ }).click();
    const chosen = page.getByRole("article", { name: "The chosen payment" });
    await shows(chosen, "Correct the outcome"); // a payment of a day that differs
    await go("Alerts");
    await shows(alert, /^terminal .*, \d{4}-\d\d-\d\d$/);
    await go("Webhooks");
    await page
      .getByRole("list", { name: "Events" })
      .getByRole("link", { name: /day\.differs/ })
      .first()
      .click();
    await press("Send it again");
    await shows(page.getByRole("list", { name: "Attempts" }), "Attempt 2");

    await go("Counter");
    await press("Close the day");
    await shows(day, "The terminal's totals equal the books.");
    await go("Alerts");
    await shows(alert, "the day is closed: terminal and books are equal");
  });

  it("pulls the plug of a terminal that forgets, and an operator records the outcome", async () => {
    await prompted("106.00");
    await press("…and lose its memory");
    await press("Switch it on");
    await saysOfIt("reconciling");
    await saysOfIt(/An operator is called/);
    await go("Alerts");
    const alert = alertOf("Outcome unknown");
    await shows(alert, /^The payment is reconciling\. It is not known how much/);
    await alert.getByRole("radio", { name: "The payment is not paid." }).check();
    await alert.getByRole("textbox", { name: "Decided by" }).fill("ada");
    await alert.getByRole("textbox", { name: "Why" }).fill("the acquirer's list");
    await alert.getByRole("button", { name: "Show the consequences" }).click();
    // The platform queries the terminal meanwhile. If the payment has changed since the preview, nothing happens, and a new preview is
    // shown.
    for (;;) {
      await shows(alert, "The payment goes from reconciling to failed.");
      const responded = page.waitForResponse((response) => response.url().endsWith("/resolve"));
      await alert.getByRole("button", { name: "Record the outcome" }).click();
      if ((await (await responded).text()) === "{}") break;
      await shows(alert, /has changed, so nothing was done/);
    }
    await shows(alert, /^Nothing is left to do: close the alert\. The payment is failed\. /);
    await close(alert);
    await go("Counter");
    await saysOfIt("The merchant has no money from this payment.");
    const payment = await openPayment("106.00");
    await shows(payment, "ada: the acquirer's list");
  });

  it("raises an action request at the terminal, and the shop answers it", async () => {
    await go("Counter");
    await press("Open the gate?");
    const question = page.getByRole("group", { name: "The terminal asks the shop" });
    await shows(question, "Open the gate?");
    await question.getByRole("button", { name: "Accept" }).click();
    await shows(display(), "The shop says yes");
  });

  it("lets webhooks fail, and sees their retries", async () => {
    await go("Webhooks");
    await page.getByRole("radio", { name: "500" }).check({ force: true });
    await paid("107.00");
    await go("Webhooks");
    const events = page.getByRole("list", { name: "Events" });
    await shows(events, /next in/);
    await page.getByRole("radio", { name: "200" }).check({ force: true });
    await events
      .getByRole("link", { name: /200.*\d attempts/ }) // more than 2, if this person was slow
      .first()
      .waitFor();
  });

  it("takes the tables away for ten seconds: running payments end as they should", async () => {
    await prompted("108.00");
    await go("Faults");
    await press("Start: Tables away for ten seconds");
    await go("Counter");
    await press("Tap card");
    await shows(display(), /approved/i);
    await saysOfIt("captured"); // after the terminal's report was accepted
    await paid("109.00");
  });

  it("is shown the texts of partners, terminals and customers as texts", async () => {
    if (!stack) throw new Error("no stack");
    const { file } = stack;
    const text = `<img src=x onerror="window.ran = 1">`;
    const body = {
      ...samplePayment(file, 110),
      merchantName: text,
      merchantReferences: { orderId: `${text}-${randomUUID()}`.slice(0, 64), paymentId: randomUUID() },
    };
    const sent = { method: "POST", headers: file.demo.headers, body: JSON.stringify(body) };
    expect((await fetch(`${file.baseUrl}/pos-payment-request`, sent)).status).toBe(202);
    await go("Payments");
    await shows(page.getByRole("main"), text);
    expect(await page.evaluate("window.ran")).toBeUndefined();
  });

  it("sees no error, and the page sends nothing to other servers", () => {
    expect(complaints).toEqual(Array.from({ length: refused }, () => expect.stringContaining("status of 409")));
  });
});
