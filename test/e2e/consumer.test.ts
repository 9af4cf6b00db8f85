import { randomUUID } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { describe, expect, inject, it } from "vitest";
import { invalidCredentials } from "../../shared/edge/auth/invalid-credentials.ts";
import type { ProblemObject } from "../../shared/contracts/objects/problem.ts";
import { operatorOf } from "../support/admin.ts";
import { isReplay } from "../support/partner.ts";
import { readQr } from "../support/qr.ts";
import { skippedIf } from "../support/skipped.ts";
import { codeIn, webShopOn } from "../support/web-shop.ts";

const stack = inject("stack");
const shop = webShopOn(stack);
const { admin, shown } = operatorOf(stack);
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString("base64")}` });

describe("a landing page request in the specification's own shape", () => {
  it("is accepted, and the customer gets a mail with a code and a QR picture of the same code", async () => {
    const requested = shop.request();
    const posted = await shop.post(requested);
    const { landingPageID, productID } = requested;
    expect(posted).toMatchObject({ status: 202, body: { landingPageID, productID, status: "received" } });
    expect(posted.headers.get("x-request-id")).toBeTruthy();

    const mail = await shop.mailTo(requested.email);
    expect(mail.subject).toBe("Your voucher: Demo Kiosk");
    expect(mail.text).toMatch(/Valid until: .+ at\s\d\d:\d\d/);
    expect(mail.html).toContain(codeIn(mail));
    expect(readQr(mail.attachments[0]?.base64)).toBe(codeIn(mail));
  });

  it("appears on its page with its state and a masked address, and without the code", async () => {
    const { landingPageID, code, email } = await shop.token({ button: 3 });
    const latest = await shop.requestUntil(landingPageID, "emailed");
    expect(latest.email).toMatch(/^[0-9a-f]\*\*\*@e\*\*\*\.com$/);

    const { status, body } = await shop.page(landingPageID.toUpperCase());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { landingPageID, status: "active", name: "Demo Kiosk", buttons: [3], requests: [{ status: "emailed" }] },
    });
    const pageText = JSON.stringify(body);
    for (const secret of [code, code.replaceAll("-", ""), email, email.slice(1, 9)])
      expect(pageText).not.toContain(secret);
  });

  it("creates one request, one token and one mail when it is sent twenty times at once and again later", async () => {
    const requested = shop.request();
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post(requested)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202));
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    await shop.requestUntil(requested.landingPageID, "emailed");

    const later = await shop.post({ ...requested, email: requested.email.toUpperCase() });
    expect(isReplay(later)).toBe(true);
    expect(later.body).toMatchObject({ requestID: answers[0]?.body.requestID, status: "emailed" });
    expect((await shop.page(requested.landingPageID)).body.requests).toHaveLength(1);
    expect(await shop.mailsTo(requested.email)).toHaveLength(1);
  });

  it("creates another token when it comes from another button", async () => {
    const { code, mail: _, ...requested } = await shop.token();
    await shop.post({ ...requested, button: 2 });
    await shop.requestUntil(requested.landingPageID, "emailed");
    const mails = await shop.mailsTo(requested.email);
    expect(mails).toHaveLength(2);
    expect(codeIn(mails[0] ?? { text: "" })).toBe(code);
    expect(new Set(mails.map(codeIn)).size).toBe(2);
    expect((await shop.page(requested.landingPageID)).body).toMatchObject({
      buttons: [1, 2],
      requests: [{ button: 2 }, {}],
    });
  });

  it("is mailed in the language that it names, instead of the template's", async () => {
    const requested = shop.request({ locale: "fi-FI" });
    expect((await shop.post(requested)).status).toBe(202);
    const { text, html } = await shop.mailTo(requested.email);
    for (const part of [text, html]) expect(part).toContain("Voimassaolo päättyy");
    expect(html).toContain('lang="fi-FI"');
  });

  it("ends as emailFailed when the mail server refuses the address", async () => {
    const { landingPageID } = await refusedMailbox();
    const latest = await shop.requestUntil(landingPageID, "emailFailed", "emailed");
    expect(latest).toMatchObject({ status: "emailFailed", statusReason: "addressRefused" });
  });
});

const isHere = new URL(stack.baseUrl).hostname === "127.0.0.1";
const because = skippedIf(!isHere, "the platform is not on this machine");

describe.skipIf(!isHere)(`a web shop that is developed on this machine${because}`, () => {
  it.each([
    ["http://localhost:5173", true],
    ["http://127.0.0.1:3000", true],
    ["https://evil.example", false],
    ["http://localhost.evil.example:5173", false],
  ])("from %s may read the response: %s", async (Origin, may) => {
    const refused = await fetch(`${stack.baseUrl}/landing-page-request`, { method: "POST", headers: { Origin } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("access-control-allow-origin")).toBe(may ? Origin : null);
  });
});

async function refusedMailbox() {
  const requested = shop.request({ email: `refuse-${randomUUID()}@example.com` });
  await shop.post(requested);
  return requested;
}

describe("a landing page request that is refused", () => {
  it.each([
    ["no Authorization", { Authorization: "" }, null],
    ["another scheme", { Authorization: "Bearer x" }, "wrong"],
    ["an unknown user", basic("nobody:secret"), "wrong"],
    ["a wrong password", basic("demo:secret"), "wrong"],
  ])("with %s is a 401 that names the header and nothing else", async (_, headers, sent) => {
    const { status, body } = await shop.post<ProblemObject>(shop.request(), headers);
    expect(status).toBe(401);
    expect(body).toMatchObject({
      ...invalidCredentials("Authorization", sent),
      title: "The credentials are missing or wrong",
    });
    expect(body.detail).toBeUndefined();
  });

  it.each([
    ["no page", { landingPageID: undefined }, "landingPageID"],
    ["a page that is none", { landingPageID: "page 1" }, "landingPageID"],
    ["no product", { productID: null }, "productID"],
    ["no template", { templateAccessTokenID: undefined }, "templateAccessTokenID"],
    ["no button", { button: undefined }, "button"],
    ["a button below zero", { button: -1 }, "button"],
    ["half a button", { button: 1.5 }, "button"],
    ["a button as text", { button: "1" }, "button"],
    ["no address", { email: undefined }, "email"],
    ["an address that is none", { email: "anna" }, "email"],
    ["a header behind the address", { email: "anna@example.com\r\nBcc: eve@example.com" }, "email"],
    ["a language that is none", { locale: "Swedish, please" }, "locale"],
    ["two addresses", { email: "anna@example.com,eve@example.com" }, "email"],
    ["a display name", { email: "Anna <anna@example.com>" }, "email"],
  ])("for %s is 422, names the field, and creates no page", async (_, change, field) => {
    const requested = shop.request();
    const { status, body } = await shop.post<ProblemObject>({ ...requested, ...change });
    expect({ status, code: body.code }).toEqual({ status: 422, code: "validation_failed" });
    expect(body.errors?.map((error) => error.field)).toEqual([field]);
    expect(await shop.page(requested.landingPageID)).toMatchObject({ status: 404 });
  });

  it("for an unknown template is 404, and creates no page", async () => {
    const requested = shop.request({ templateAccessTokenID: randomUUID() });
    const refused = { status: 404, body: { code: "access_token_template_not_found" } };
    expect(await shop.post(requested)).toMatchObject(refused);
    expect(await shop.page(requested.landingPageID)).toMatchObject({
      status: 404,
      body: { code: "landing_page_not_found" },
    });
  });

  it("for an unknown page is 404 if operators create the template's pages; for a page that the operator created it is accepted", async () => {
    const templateAccessTokenID = await shop.template("--kind", "key", "--pages", "operators");
    const requested = shop.request({ templateAccessTokenID });
    expect(await shop.post(requested)).toMatchObject({ status: 404, body: { code: "landing_page_not_found" } });
    const made = ["--product", requested.productID, "--template", templateAccessTokenID];
    await shop.operator("landing-page", "create", requested.landingPageID, ...made);
    expect(await shop.post(requested)).toMatchObject({ status: 202 });
  });

  it("for a page that exists with another product or template is 409", async () => {
    const requested = shop.request();
    await shop.post(requested);
    const template = await shop.template("--kind", "key");
    for (const change of [{ productID: randomUUID() }, { templateAccessTokenID: template }]) {
      const answer = await shop.post({ ...requested, ...change, button: 2 });
      expect(answer).toMatchObject({ status: 409, body: { code: "landing_page_conflict", retryable: false } });
    }
  });

  it("for the sixth token to one address within an hour is 429 with Retry-After", async () => {
    const requested = shop.request();
    for (const button of [1, 2, 3, 4, 5]) {
      await shop.post({ ...requested, button });
      await shop.requestUntil(requested.landingPageID, "emailed");
    }
    const sixth = await shop.post({ ...requested, landingPageID: randomUUID() });
    expect(sixth).toMatchObject({ status: 429, body: { code: "rate_limited", retryable: true } });
    expect(Number(sixth.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect(await shop.mailsTo(requested.email)).toHaveLength(5);
  });
});

describe("the consumers' function key", () => {
  it("is required by both operations, and no other credential replaces it", async () => {
    for (const key of ["", "wrong", stack.demo.subscriptionKey]) {
      expect(await shop.post(shop.request(), { "x-functions-key": key })).toMatchObject({ status: 401 });
      expect(await shop.page(randomUUID(), key)).toMatchObject({ status: 401, body: { code: "invalid_credentials" } });
    }
  });

  it("gives no access to functions of partners or terminals", async () => {
    const headers = { ...stack.demo.headers, ...shop.headers };
    for (const path of [`pos-payment/${randomUUID()}`, "next-message"]) {
      const response = await fetch(`${stack.functionsUrl}/${path}`, { headers });
      expect({ status: response.status, text: await response.text() }).toEqual({ status: 401, text: "" });
    }
  });
});

describe("the operator", () => {
  it("sees a page with its tokens, and disables it: it accepts no new requests, and replays repeated ones", async () => {
    const { mail: _, code, ...requested } = await shop.token();
    const page = await shown<{ requests: { accessTokenID: string }[] }>(
      "landing-page",
      "show",
      requested.landingPageID,
    );
    const token = await shown("token", "show", page.requests[0]?.accessTokenID ?? "");
    expect(token).toMatchObject({ kind: "voucher", status: "active", landingPageID: requested.landingPageID });
    expect(JSON.stringify([page, token])).not.toContain(code);

    await shown("landing-page", "disable", requested.landingPageID);
    expect(await shop.post({ ...requested, button: 9 })).toMatchObject({
      status: 409,
      body: { code: "landing_page_unavailable" },
    });
    expect(isReplay(await shop.post(requested))).toBe(true);
    expect((await shop.page(requested.landingPageID)).body.status).toBe("disabled");
  });

  it("gives a template a brand and texts, which the next mail has, and removes them again", async () => {
    const folder = await mkdtemp(join(tmpdir(), "look-"));
    const [logo, texts] = [join(folder, "logo.png"), join(folder, "texts.json")];
    await writeFile(logo, PNG.sync.write(new PNG({ width: 64, height: 32 })));
    await writeFile(texts, JSON.stringify({ en: { terms: "One per guest." } }));
    const id = await shop.template("--kind", "voucher", "--percent", "10", "--locale", "en-GB");
    const set = await shown(
      "template",
      "set",
      id,
      "--brand",
      "Fjord & Bean",
      "--colour",
      "#7A2E1D",
      "--logo",
      logo,
      "--texts",
      texts,
    );
    expect(set).toMatchObject({ brand: "Fjord & Bean", ink: expect.stringContaining("#ffffff, contrast ") });
    expect(await shown("template", "show", id)).toMatchObject({ value: { percent: 10 }, texts: { en: "terms" } });

    const { mail } = await shop.token({ templateAccessTokenID: id });
    expect(mail.html).toContain("#7a2e1d");
    expect(mail.text).toContain("One per guest.");
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(["code.png", "logo.png"]);

    await shown("template", "set", id, "--without", "brand,texts");
    const plain = (await shop.token({ templateAccessTokenID: id })).mail;
    expect(plain.text).not.toContain("One per guest.");
    expect(plain.attachments.map(({ filename }) => filename)).toEqual(["code.png"]);
  });

  it("lists the existing templates", async () => {
    const id = await shop.template("--kind", "voucher", "--percent", "12.5", "--valid-days", "2", "--locale", "sv-SE");
    const listed = await shown<{ templateAccessTokenID: string }[]>("template", "list");
    expect(listed.find((template) => template.templateAccessTokenID === id)).toMatchObject({
      name: "A page",
      kind: "voucher",
      value: { percent: 12.5 },
      validSeconds: 172_800,
      locale: "sv-SE",
    });
  });

  it("gets one sentence about the error, and nothing else", async () => {
    await expect(shown("landing-page", "show", randomUUID())).rejects.toThrow("no such landing page");
    expect(await admin("token", "revoke", randomUUID())).toEqual({
      code: 1,
      out: "",
      complaint: expect.stringMatching(/^(On .*\n)?[^\n]*no such access token[^\n]*\n$/) as string,
    });
    expect(await admin("token", "shwo")).toEqual({
      code: 2,
      out: "",
      complaint: "Unknown command 'shwo'. (Did you mean show?) See npm run admin -- token --help.\n",
    });
  });
});
