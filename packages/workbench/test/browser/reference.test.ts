import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { startReference } from "../../reference/reference.ts";
import type { OperationView } from "../../reference/views/operations.ts";
import type { TryResult } from "../../reference/views/try.ts";
import type { StackFile } from "../../stack/stack-file.ts";
import { startStack, type Stack } from "../../stack/stack.ts";
import { sampleIds } from "../../../../infra/documents/openapi/samples/sample-ids.ts";
import { because, browserIsPresent, startBrowser } from "../../../../test/support/browser.ts";
import { desk, foundByAxe, openContext, phone } from "../../../../test/browser/a-page.ts";

let directory: string;
let running: Stack;
let stack: StackFile;
let reference: LoopbackServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "reference-"));
  running = await startStack({ ports: "free", directory, paceMs: 20 });
  stack = running.file;
  reference = await startReference({ port: 0, stack });
});
afterAll(async () => {
  await reference?.stop();
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
});

const get = (path: string, init?: RequestInit) => fetch(new URL(path, reference.url), init);
const tryOut = async (input: object, headers = {}) =>
  get("try", { method: "POST", headers, body: JSON.stringify({ fields: {}, ...input }) });

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

  it("sends a tried operation to the gateway with the demo's keys, and shows the response unchanged", async () => {
    const operations = (await (await get("operations")).json()) as OperationView[];
    expect(operations.length).toBeGreaterThan(14);
    const answer = await tryOut({ operation: "pos-payment", fields: { session_id: crypto.randomUUID() } });
    const { status, headers, body, curl } = (await answer.json()) as TryResult;
    expect(status).toBe(404);
    expect(headers.map(([name]) => name)).toContain("x-request-id");
    expect(JSON.parse(body)).toMatchObject({ code: "payment_not_found" });
    expect(curl).toContain(`'${stack.baseUrl}/pos-payment/`);
  });

  it("has the page that a problem's type links to", async () => {
    const page = await get("problems");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain('<section id="terminal_busy">');
  });

  it("refuses pages of other origins, and an invalid request to try", async () => {
    const input = { operation: "pos-status" };
    expect((await tryOut(input, { origin: "http://localhost:9999" })).status).toBe(403);
    expect((await get("demo.json", { headers: { origin: "https://elsewhere.example" } })).status).toBe(403);
    expect((await tryOut({ operation: "no-such" })).status).toBe(422);
    expect((await tryOut({ nothing: 1 })).status).toBe(422);
    expect((await get("try", { method: "POST", body: "{" })).status).toBe(422);
  });

  it.each(["nothing", "constructor", "openapi/other.json", "..%2fpackage.json", "openapi/..%2f..%2fpackage.json"])(
    "has no page %s",
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it("refuses a request under another host's name", async () => {
    const sent = httpRequest(new URL("page.js", reference.url), { headers: { host: "elsewhere.example" } }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(421);
  });

  it("is small, including its fonts and documents", async () => {
    const headers = { "accept-encoding": "gzip" };
    const files = ["", "page.js", "style.css", "inter.woff2", "demo.json", "operations", "openapi/partners.json"];
    const sizes = await Promise.all(files.map((path) => sizeOf(path, headers)));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(160_000);
  });
});

/** The size of a body as it is transferred. `fetch` would decompress it. */
async function sizeOf(path: string, headers: Record<string, string>): Promise<number> {
  const [answer] = (await once(httpRequest(new URL(path, reference.url), { headers }).end(), "response")) as [
    IncomingMessage,
  ];
  let size = 0;
  for await (const chunk of answer) size += (chunk as Buffer).byteLength;
  return size;
}

describe.skipIf(!browserIsPresent)(`the reference in a browser${because}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => browser.close());

  /** Opens a page of the reference. Returns it with every error that it reports and every request to another server. */
  async function open(path = "") {
    const { page, complaints } = await openContext(browser, `${reference.url}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return { page, complaints };
  }

  /** Selects an operation in the table of contents. */
  async function choose(page: Page, name: string): Promise<void> {
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name, exact: false }).first().click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }

  /** Presses a button that sends a request, and returns the platform's response. */
  async function press(page: Page, name: string): Promise<TryResult> {
    const answered = page.waitForResponse(
      (response) => response.url().endsWith("/try") && !response.request().postData()?.includes('"preview":true'),
    );
    await page.getByRole("button", { name, exact: true }).click();
    return (await (await answered).json()) as TryResult;
  }
  const bodyOf = ({ body }: TryResult) => JSON.parse(body) as { readonly sessionID: string; readonly status: string };

  it("makes a payment at one click, another payment at the next, and repeats the same one on request", async () => {
    const { page, complaints } = await open();
    await choose(page, "Payment Request");
    const first = await press(page, "Send");
    expect(bodyOf(first)).toMatchObject({ status: "pending", final: false });
    await page.getByRole("group", { name: "The response's body" }).getByText(bodyOf(first).sessionID).waitFor();
    const read = () => fetch(`${stack.baseUrl}/pos-payment/${bodyOf(first).sessionID}`, stack.demo);
    await expect.poll(async () => ((await (await read()).json()) as { status: string }).status).toBe("captured");

    const second = await press(page, "Send");
    expect(second.status).toBe(202);
    expect(bodyOf(second).sessionID).not.toBe(bodyOf(first).sessionID);
    const again = await press(page, "Send the same again");
    expect(bodyOf(again).sessionID).toBe(bodyOf(second).sessionID);
    await page.getByText("nothing was done again").waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("names the gateway in the command to paste", async () => {
    const { page } = await open("#/operations/pos-payment-refund");
    const command = page.getByRole("group", { name: "The request as curl" });
    await command.getByText(`'${stack.baseUrl}/pos-payment-refund'`).waitFor();
    await page.context().close();
  });

  it("has the keys of the other two APIs too", async () => {
    const { page, complaints } = await open();
    for (const name of ["Landing Page Request", "Raise Action Request"]) {
      await choose(page, name);
      expect((await press(page, "Send")).status).toBe(202);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("shows webhooks as events with a signature to check, and nothing to fill in", async () => {
    const { page, complaints } = await open("#/operations/webhook-payment");
    await page.getByText("payment.captured", { exact: true }).first().waitFor();
    await page.getByText("decoded from base64").waitFor();
    await page
      .getByRole("group", { name: "The webhook", exact: true })
      .getByText(/webhook-signature: v1,.{44}\n/)
      .waitFor();
    expect(await page.getByRole("main").getByRole("textbox").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("collapses the problems of an operation, each with a link to its section of the problem page", async () => {
    const { page } = await open("#/operations/pos-payment-request");
    await page.getByText("terminal_busy", { exact: true }).waitFor();
    expect(await page.getByRole("group", { name: "An example of terminal_busy" }).isVisible()).toBe(false);
    await page.getByText("terminal_busy", { exact: true }).click();
    const example = await page.getByRole("group", { name: "An example of terminal_busy" }).textContent();
    expect(example).toContain(`"type": "${reference.url}problems#terminal_busy"`);
    await page.getByRole("listitem").filter({ hasText: "terminal_busy" }).getByRole("link").click();
    await page.waitForURL("**/problems#terminal_busy");
    await page.getByRole("heading", { level: 2, name: "terminal_busy" }).waitFor();
    expect(
      await page.evaluate<number>("document.querySelector('#terminal_busy').getBoundingClientRect().top"),
    ).toBeLessThan(100);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "API reference" }).click();
    await page.getByRole("heading", { level: 1, name: "Take payments on terminals" }).waitFor();
    await page.context().close();
  });

  it("shows the members of a response, with an example beside them", async () => {
    const { page } = await open("#/operations/pos-payment");
    const members = await page.locator('[data-member="statusReason"]').boundingBox();
    const example = await page.getByRole("group", { name: "The example of 200" }).boundingBox();
    expect(members && example && [example.x > members.x, example.y < members.y]).toEqual([true, true]);
    await page.context().close();
  });

  it("searches by keyboard, and unfolds the member that it finds", async () => {
    const { page, complaints } = await open();
    const field = page.getByRole("searchbox", { name: "Search operations, members and guide" });
    await page.keyboard.press("/");
    await page.keyboard.type("amounts.captured");
    await page.getByText(/^\d+ results$/).waitFor();
    await page.keyboard.press("Enter");
    await page.locator('[data-member="amounts.captured"]').first().waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.dataset.member")).toBe("amounts.captured");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("no such thing");
    await page.getByText("Nothing matches.").waitFor();
    await page.keyboard.press("Escape");
    expect(await field.inputValue()).toBe("");
    await page.getByRole("link", { name: "Retries" }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("has no fault that Axe finds, at both widths and in both themes", async () => {
    const { page, complaints } = await open();
    const found: string[] = [];
    const operations = ["pos-payment-request", "webhook-refund", "report"].map((name) => `#/operations/${name}`);
    for (const path of ["#/guide", ...operations, "problems"]) {
      await page.goto(`${reference.url}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.emulateMedia({ colorScheme: "light" });
      found.push(...(await foundByAxe(page)));
      await page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await foundByAxe(page, { only: ["color-contrast"] })));
      await page.setViewportSize(phone);
      found.push(...(await foundByAxe(page, { without: ["color-contrast"] })));
      expect([path, await page.evaluate<number>("document.documentElement.scrollWidth")]).toEqual([path, phone.width]);
      await page.setViewportSize(desk);
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
