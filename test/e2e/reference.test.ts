import { request as httpRequest } from "node:http";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startReference, type Reference } from "../../infra/local/reference/reference.ts";
import { sampleIds } from "../../shared/contracts/examples/sample-ids.ts";
import { because, browserIsPresent, startBrowser } from "../support/browser.ts";

const stack = inject("stack");
let reference: Reference;
beforeAll(async () => {
  reference = await startReference({ port: 0, stack });
});
afterAll(async () => reference.stop());

const get = (path: string, init?: RequestInit) => fetch(new URL(path, reference.url), init);

describe("the reference", () => {
  it("serves each document with the running demo's identifiers, and new payment identifiers every time", async () => {
    const read = async () => (await get("openapi/partners.json")).text();
    const [first, second] = [await read(), await read()];
    expect(first).toContain(stack.demo.merchantID);
    expect(first).toContain(stack.demo.terminals.autopilot.pointOfServiceID);
    for (const sample of Object.values(sampleIds)) expect(first).not.toContain(sample);
    expect(first).not.toBe(second);
    for (const api of ["consumer", "terminals"]) expect((await get(`openapi/${api}.json`)).status).toBe(200);
  });

  it("passes requests to the gateway, and its responses back, unchanged", async () => {
    const path = `partners/pos-payment/${randomUUID()}`;
    const answer = await get(path, { headers: stack.demo.headers });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-request-id")).toBeTruthy();
    expect(await answer.json()).toMatchObject({ code: "payment_not_found" });
    expect((await get(path)).status).toBe(401);
  });

  it.each([
    "nothing",
    "constructor",
    "openapi/other.json",
    "swagger-ui.js",
    "..%2fpackage.json",
    "openapi/..%2f..%2fpackage.json",
  ])("has no page %s", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it("refuses a request under another host's name", async () => {
    const sent = httpRequest(new URL("page.js", reference.url), { headers: { host: "elsewhere.example" } }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(421);
  });
});

describe.skipIf(!browserIsPresent)(`the reference in a browser${because}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => browser.close());

  /** A page of the reference, with everything that it reports as wrong and every request to another server. */
  async function open(): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(reference.url) && !url.startsWith("data:")) complaints.push(`sent ${url}`);
    });
    await page.goto(reference.url);
    return { page, complaints };
  }

  /** Opens an operation and presses its button, once the page has filled in the keys; gives what is answered. */
  async function execute(page: Page, operationId: string) {
    const block = page.locator(`.opblock[id$="-${operationId}"]`);
    await block.getByLabel("authorization button locked").waitFor();
    await block.click();
    const answered = page.waitForResponse((response) => response.url().endsWith(`/${operationId}`));
    await block.getByRole("button", { name: "Execute" }).click();
    const answer = await answered;
    return { block, status: answer.status(), body: (await answer.json()) as { sessionID: string; status: string } };
  }

  it("takes a payment at one click", async () => {
    const { page, complaints } = await open();
    const { block, body: payment } = await execute(page, "pos-payment-request");
    expect(payment).toMatchObject({ status: "pending", final: false });
    await block.locator(".live-responses-table .response-col_status", { hasText: "202" }).waitFor();

    const read = () => get(`partners/pos-payment/${payment.sessionID}`, { headers: stack.demo.headers });
    await expect.poll(async () => ((await (await read()).json()) as { status: string }).status).toBe("authorized");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("fills in the keys of the other documents too", async () => {
    const { page, complaints } = await open();
    for (const [title, operation] of [
      ["Consumer Web API", "landing-page-request"],
      ["Terminals API", "raise-action-request"],
    ] as const) {
      await page.locator("#select").selectOption({ label: title });
      expect(await execute(page, operation)).toMatchObject({ status: 202 });
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("shows the other documents, and the webhooks", async () => {
    const { page, complaints } = await open();
    await page.getByText("What your server is called back with.").waitFor();
    for (const title of ["Consumer Web API", "Terminals API"]) {
      await page.locator("#select").selectOption({ label: title });
      await page.locator(".info .title", { hasText: title }).waitFor();
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});
