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

describe("a landing page request that is refused", () => {
  it("with a wrong password is a 401 that names the header and nothing else", async () => {
    const Authorization = `Basic ${Buffer.from("demo:secret").toString("base64")}`;
    const { status, body } = await shop.post<ProblemObject>(shop.request(), { Authorization });
    expect(status).toBe(401);
    expect(body).toMatchObject(invalidCredentials("Authorization", "wrong"));
    expect(body.detail).toBeUndefined();
  });

  it.each([
    ["no product", { productID: null }, "productID"],
    ["half a button", { button: 1.5 }, "button"],
    ["a header behind the address", { email: "anna@example.com\r\nBcc: eve@example.com" }, "email"],
    ["a language that is none", { locale: "Swedish, please" }, "locale"],
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
    const { landingPageID } = requested;
    const page = await shown<{ requests: { accessTokenID: string }[] }>("landing-page", "show", landingPageID);
    const token = await shown("token", "show", page.requests[0]?.accessTokenID ?? "");
    expect(token).toMatchObject({ kind: "voucher", status: "active", landingPageID });
    expect(JSON.stringify([page, token])).not.toContain(code);

    await shown("landing-page", "disable", landingPageID);
    expect(await shop.post({ ...requested, button: 9 })).toMatchObject({
      status: 409,
      body: { code: "landing_page_unavailable" },
    });
    expect(isReplay(await shop.post(requested))).toBe(true);
    expect((await shop.page(landingPageID)).body.status).toBe("disabled");
  });

  it("gives a template a brand and texts, which the next mail has, and removes them again", async () => {
    const folder = await mkdtemp(join(tmpdir(), "look-"));
    const [logo, texts] = [join(folder, "logo.png"), join(folder, "texts.json")];
    await writeFile(logo, PNG.sync.write(new PNG({ width: 64, height: 32 })));
    await writeFile(texts, JSON.stringify({ en: { terms: "One per guest." } }));
    const id = await shop.template("--kind", "voucher", "--percent", "10", "--locale", "en-GB");
    const look = ["--brand", "Fjord & Bean", "--colour", "#7A2E1D", "--logo", logo, "--texts", texts];
    const set = await shown("template", "set", id, ...look);
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
  });
});
