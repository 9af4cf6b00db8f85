import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildModules } from "../../infra/tools/build-package.ts";
import { partnersClient } from "../../clients/partners/client.ts";
import { freePort } from "../../packages/local-azure/common/free-ports.ts";
import type { LoopbackServer } from "../../packages/local-azure/common/loopback-server.ts";
import { startLandingPage } from "../../packages/workbench/start/landing-page.ts";
import { startLive, type Live } from "../../packages/workbench/live/live.ts";
import { codeIn } from "../../packages/workbench/live/page/views/mails/code-in.ts";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { because, browserIsPresent, startBrowser } from "../support/browser.ts";
import { root } from "../support/rooms.ts";
import { webShopOn } from "../support/web-shop.ts";
import { foundByAxe, openContext, openPage } from "./a-page.ts";

// A customer in front of the landing page of a running stack, and the shop at the live page.

/** A response that is not 2xx is logged in the browser's console, and the page explains it in plain words. */
const ofStatus = /status of 4\d\d/;

describe.skipIf(!browserIsPresent)(`a customer at the landing page${because}`, () => {
  let directory: string;
  let live: Live | undefined;
  let stack: Stack | undefined;
  let offer: LoopbackServer | undefined;
  let browser: Browser;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "offer-"));
    live = await startLive({ port: 0 });
    stack = await startStack({ ports: "free", directory, paceMs: 20, ...live.watching });
    offer = await startLandingPage(await freePort(), stack.file);
    live.show(stack, { ...stack.file, landingPage: offer.url });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await offer?.stop();
    await live?.leave();
    await stack?.stop();
    await live?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const running = () => {
    if (!stack || !offer || !live) throw new Error("nothing runs");
    return { stack, offer, live, shop: webShopOn(stack.file) };
  };

  async function fillIn(page: Page, email: string, button: string): Promise<void> {
    await page.getByRole("textbox", { name: "E-mail address" }).fill(email);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: button }).click();
  }

  it("gets a voucher by mail, and pays less with its code", async () => {
    const { stack, live, shop } = running();
    const { page } = await openPage(browser, live.url);
    const go = (view: string) =>
      page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
    await go("Mails");
    const [customer] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "on the landing page" }).click(),
    ]);
    await fillIn(customer, "anna@example.com", "Get lunch voucher");
    await customer.getByRole("heading", { level: 1, name: "Check your mail" }).waitFor();
    await customer.getByText("anna@example.com").waitFor();
    const mail = page.getByRole("list", { name: "Mails" }).getByRole("link", { name: "anna@example.com" });
    await mail.click();
    const code = codeIn((await shop.mailTo("anna@example.com")).text) ?? "";
    await page.getByText(code, { exact: true }).first().waitFor();

    await go("Counter");
    await page.getByRole("textbox", { name: "Amount", exact: true }).fill("125.00");
    await page.getByRole("button", { name: "Request payment" }).click();
    const display = page.getByRole("group", { name: "Display of Counter" });
    await display.getByText("125.00").first().waitFor();
    await page.getByRole("region", { name: "The platform says" }).getByText("in progress").first().waitFor();
    const sessionID = live.living.payments()[0]?.sessionId ?? "";
    await go("Mails"); // where the mail is still chosen
    await page.getByRole("img", { name: `QR picture of ${code}` }).waitFor();
    const spend = page.getByRole("button", { name: "Spend it" });
    await spend.click();
    await page.getByText("50.00 SEK off, now 75.00 SEK.").waitFor();
    expect(await spend.count()).toBe(0);
    await go("Counter");
    await display.getByText("75.00").first().waitFor(); // the demo's voucher is worth 50
    await page.getByRole("button", { name: "Tap card" }).click();
    const { apikey, subscriptionKey } = stack.file.demo;
    const partners = partnersClient({ baseUrl: stack.file.baseUrl, apikey, subscriptionKey });
    await expect
      .poll(() => partners.payments.get(sessionID))
      .toMatchObject({ status: "captured", amounts: { captured: 75 } });
    await go("Mails");
    await page.getByText("The voucher was used: 50.00 SEK off, now 75.00 SEK.").waitFor();
    await page.getByRole("link", { name: "See the payment" }).click();
    await page.waitForURL(`**/#/payments/*/*/${sessionID}`);
  });

  it("learns that the mail server refused the mail, and goes on with another address", async () => {
    const { page } = await openContext(browser, running().offer.url);
    await fillIn(page, "refuse.fay@example.com", "Get lunch voucher");
    await page.getByRole("heading", { level: 1, name: "Check your mail" }).waitFor();
    await page.getByText("The mail could not be delivered to this address.").waitFor();
    await page.locator("#email:focus").waitFor();
    expect(await page.getByRole("textbox", { name: "E-mail address" }).inputValue()).toBe("refuse.fay@example.com");
    await fillIn(page, "fay@example.com", "Get lunch voucher");
    await page.getByRole("heading", { level: 1, name: "Check your mail" }).waitFor();
    await page.context().close();
  });

  it("is served by the sample alone, with settings from outside, and gets none of its secrets", async () => {
    const { stack, shop } = running();
    const { basic, functionKeys, productID, templateAccessTokenID } = stack.file.demo.consumer;
    const [user = "", password = ""] = Buffer.from(basic, "base64").toString().split(":");
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    await buildModules(fileURLToPath(new URL("../../clients/consumer", import.meta.url)));
    const child = spawn(process.execPath, [join(root, "examples/landing-page/server.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        BASE_URL: stack.file.baseUrl,
        CONSUMER_USER: user,
        CONSUMER_PASSWORD: password,
        FUNCTION_KEY: functionKeys["landing-page-request"],
        LANDING_PAGE_ID: randomUUID(),
        PRODUCT_ID: productID,
        TEMPLATE_ID: templateAccessTokenID,
        PORT: String(port),
        ORIGINS: origin,
      },
    });
    onTestFinished(async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    });
    await once(child.stdout, "data"); // it is listening
    const form = new URLSearchParams({ email: "eve@example.com", consent: "yes", button: "1" });
    const sent = await fetch(origin, { method: "POST", body: form, headers: { origin } });
    expect(sent.status).toBe(200);
    expect(codeIn((await shop.mailTo("eve@example.com")).text)).toBeDefined();
    const files = ["/", "/page.js", "/page.css", "/demo.env", "/server.ts"].map((path) => fetch(origin + path));
    const answers = [sent, ...(await Promise.all(files))];
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    for (const secret of [password, basic, functionKeys["landing-page-request"]])
      expect(texts.join()).not.toContain(secret);
  });

  it.each([true, false])("learns what to correct, and continues there, with script: %s", async (javaScriptEnabled) => {
    const { offer, shop } = running();
    const { page, complaints } = await openContext(browser, offer.url, { javaScriptEnabled, locale: "sv-SE" });
    await page.getByRole("button", { name: "Värdebevis på lunch" }).click();
    await page.getByText("Skriv din e-postadress").waitFor();
    await page.getByText("Kryssa i rutan").waitFor();
    const email = page.getByRole("textbox", { name: "E-postadress" });
    await page.locator("#email:focus").waitFor();
    const address = `bo.${javaScriptEnabled}@example.com`;
    await email.fill(address);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Värdebevis på kaffe" }).click();
    await page.getByRole("heading", { level: 1, name: "Titta i din inkorg" }).waitFor();
    expect(codeIn((await shop.mailTo(address)).text)).toMatch(/^[\w*~$=-]+$/);
    expect(complaints.filter((one) => !ofStatus.test(one))).toEqual([]);
    await page.context().close();
  });

  it("keeps the typed text when the connection is lost, and can send it again", async () => {
    const { page } = await openContext(browser, running().offer.url);
    await page.context().setOffline(true);
    await fillIn(page, "cy@example.com", "Get coffee voucher");
    await page.getByText("No connection.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Get coffee voucher" }).click();
    await page.getByRole("heading", { level: 1, name: "Check your mail" }).waitFor();
    await page.context().close();
  });

  it.each(["light", "dark"] as const)(
    "reads it %s at 320 px and with twice the text, and Axe finds nothing",
    async (colorScheme) => {
      const { page } = await openContext(browser, running().offer.url, {
        colorScheme,
        viewport: { width: 320, height: 640 },
      });
      const isWide = () => page.evaluate("document.documentElement.scrollWidth > innerWidth");
      const look = async () => {
        expect(await foundByAxe(page)).toEqual([]);
        expect(await isWide()).toBe(false);
      };
      await look();
      await page.getByRole("button", { name: "Get lunch voucher" }).click();
      await page.getByText("Write your e-mail address").waitFor();
      await look();
      await fillIn(page, `dee.${colorScheme}.with-a-long-name@a-long-domain.example.com`, "Get lunch voucher");
      await page.getByRole("heading", { level: 1, name: "Check your mail" }).waitFor();
      await look();
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await isWide()).toBe(false);
      await page.context().close();
    },
  );
});
