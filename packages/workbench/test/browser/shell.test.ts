import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { serveLive } from "../../live/server.ts";
import { Refusal, type LiveSource } from "../../live/source.ts";
import type { Change } from "../../live/views/snapshot.ts";
import type { TerminalView } from "../../live/views/terminals.ts";
import { because, browserIsPresent, PUBLIC_NAME, startBrowser } from "../../../../test/support/browser.ts";
import { foundByAxe, goTo, openPage } from "../../../../test/browser/a-page.ts";
import { sampleSource } from "./sample-source.ts";

// The frame around every view: the header, the skip link, and the message if something fails.

describe.skipIf(!browserIsPresent)(`the page around its views${because}`, () => {
  const day = sampleSource();
  const { calls, payments, terminals } = day.snapshot();
  let notify: (change: Change) => void = () => {};
  const source: LiveSource = {
    ...day,
    subscribe(listener) {
      notify = listener;
      return () => {};
    },
  };
  /** A page whose till sends its requests to this platform. */
  const serving = (request: LiveSource["request"]) =>
    serveLive({ port: 0, open: { name: PUBLIC_NAME }, source: { ...day, request } });
  let server: LoopbackServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([serveLive({ port: 0, source }), startBrowser()]);
  });
  afterAll(async () => {
    await Promise.allSettled([browser?.close(), server?.stop()]);
  });

  it("redraws its header only when the header's content changes", async () => {
    const { page } = await openPage(browser, server.url);
    const counts = page.getByRole("link", { name: "Alerts" });
    await expect.poll(() => counts.textContent()).toBe("Alerts1");
    await page.evaluate(`
      globalThis.drawn = 0;
      new MutationObserver(() => drawn++).observe(document.querySelector("header"), {
        subtree: true, childList: true, attributes: true, characterData: true,
      })`);
    for (const [index, call] of calls.entries()) notify({ calls: [{ ...call, id: `more-${index}` }], payments });
    const [counter] = terminals;
    notify({ terminals: [{ ...(counter as TerminalView), name: "Kiosk" }] });
    await page.getByRole("link", { name: "Kiosk" }).waitFor(); // the earlier changes have arrived as well
    expect(await page.evaluate("drawn")).toBe(0);
    notify({ alerts: [] });
    await expect.poll(() => counts.textContent()).toBe("Alerts");
    expect(await page.evaluate("drawn")).toBeGreaterThan(0);
  });

  it("lets a keyboard skip the header, and names each view in the window's title", async () => {
    const { page } = await openPage(browser, server.url);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");
    expect(await page.title()).toBe("Counter · Terminal payments");
    await page.getByRole("link", { name: "Faults" }).press("Enter");
    await expect.poll(() => page.title()).toBe("Faults · Terminal payments");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");
  });

  it("links a request to its operation in the reference", async () => {
    const { page } = await openPage(browser, server.url);
    const [call] = calls;
    await goTo(page, "Requests", call?.id);
    const link = page.getByRole("link", { name: "Try this operation" });
    expect(await link.getAttribute("href")).toBe(`http://127.0.0.1:7090/#/operations/${call?.operation}`);
  });

  it("sends the till's request by Enter, and the same request again while its outcome is unknown", async () => {
    const sent: object[] = [];
    const till = await serving(async (_, body) => {
      if (sent.push(body) === 1) throw new Refusal("The platform did not respond.", { status: 504 });
    });
    const { page } = await openPage(browser, till.url);
    const again = page.getByRole("button", { name: "Send the same request again" });
    const unknown = page.getByText("It is unknown whether the payment of 80.00 SEK was requested.");
    const amount = page.getByRole("textbox", { name: "Amount", exact: true });
    await amount.fill("80");
    await amount.press("Enter");
    await unknown.waitFor();
    await again.click();
    await unknown.waitFor({ state: "detached" });
    expect(sent).toEqual([sent[0], sent[0]]);
    const holder = page.getByRole("navigation", { name: "Terminals" }).getByRole("link", { name: /120\.50 SEK/ });
    expect(await holder.getAttribute("href")).toBe(
      `#/payments/${payments[0]?.id.split("/").map(encodeURIComponent).join("/")}`,
    );

    await page.getByRole("combobox", { name: "Terminal", exact: true }).selectOption({ label: "Silent (not played)" });
    await till.stop();
    await page.getByText("The stack does not respond.").waitFor();
    expect(await page.getByRole("navigation", { name: "Terminals" }).getByText("not known").count()).toBe(3);
    await page.getByRole("button", { name: "Request payment" }).click();
    await page.getByText("The stack did not respond.").waitFor();
    await again.waitFor();
  });

  it("sends requests and copies for people on other machines, to whom browsers give less at http", async () => {
    const sent: object[] = [];
    const till = await serving(async (_, body) => void sent.push(body));
    onTestFinished(() => till.stop());
    const { page, complaints } = await openPage(browser, till.url.replace("127.0.0.1", PUBLIC_NAME));
    expect(await page.evaluate("isSecureContext")).toBe(false);
    await page.getByRole("button", { name: "Request payment" }).click();
    const uuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/) as string;
    await expect.poll(() => sent).toMatchObject([{ sessionID: uuid, merchantReferences: { paymentId: uuid } }]);
    await goTo(page, "Requests", calls[0]?.id);
    await page
      .getByRole("button", { name: /^Copy / })
      .first()
      .click();
    await page
      .getByText("copied", { exact: true })
      .or(page.getByText("Copied", { exact: true }))
      .waitFor();
    await goTo(page, "Webhooks", day.snapshot().webhooks[0]?.id);
    await page.getByText("signature valid", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "The signed body" }).isEditable()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it("shows a refund that waits for its terminal, and withdraws it", async () => {
    const sent: unknown[] = [];
    const refused = "The terminal may already have the refund (409).";
    const till = await serving(async (...request) => {
      if (sent.push(request) === 1) throw new Refusal(refused, { status: 409 });
    });
    onTestFinished(() => till.stop());
    const { page } = await openPage(browser, till.url, {}, new Date(Date.UTC(2026, 10, 21, 9, 30)));
    const [partner, pointOfServiceID, sessionID] = payments[16]?.id.split("/") ?? [];
    await goTo(page, "Payments", `${partner}/${pointOfServiceID}/${sessionID}`);
    const line = page.getByRole("list", { name: "Captures and refunds without an outcome" }).getByRole("listitem");
    const end = new Date(Date.UTC(2026, 10, 21, 9, 40)).toTimeString().slice(0, 8); // in the browser's zone
    await line.getByText(`The refund of 15.00 SEK waits for its terminal, until ${end}.`).waitFor();
    expect(await foundByAxe(page)).toEqual([]);
    const withdraw = line.getByRole("button", { name: "Withdraw" });
    await withdraw.click();
    await line.getByText(refused).waitFor();
    await withdraw.click();
    await line.getByText(refused).waitFor({ state: "detached" });
    const refundID = "00000601-5a5a-4000-8000-000000000000";
    const withdrawal = { sessionID, pointOfServiceID, msgType: "paymentCancel", refundID };
    await expect.poll(() => sent).toEqual([withdrawal, withdrawal].map((body) => ["pos-payment-cancel", body]));
  });

  it("says what it cannot draw, and since when the stack has not responded", async () => {
    const { page } = await openPage(browser, server.url);
    await page.getByRole("button", { name: "Request payment" }).waitFor();
    const [counter] = terminals;
    notify({ terminals: [{ ...counter, display: undefined } as unknown as TerminalView] });
    await page.getByText("This view could not be drawn").waitFor();
    await page.getByRole("link", { name: "Payments" }).click();
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
    await server.stop();
    await page.getByText("The stack does not respond.").waitFor();
  });
});
