import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { NoResponse, UnexpectedResponse } from "../../../clients/consumer/failures.ts";
import { naughtyTexts } from "../../support/naughty-texts.ts";
import { aLandingPage, filled, page, refused } from "./a-landing-page.ts";

const started: { stop(): Promise<void> }[] = [];
let one: Awaited<ReturnType<typeof aLandingPage>>;
beforeEach(async () => {
  one = await aLandingPage();
  started.push(one);
});
afterAll(() => Promise.all(started.map(({ stop }) => stop())));

const undelivered = "The mail could not be delivered to this address. Correct it, or use another one.";
const unsent = "No voucher was sent to this address. Please try again later, or use another one.";

describe("the landing page", () => {
  it("is a form in the browser's language, with only its own files and form", async () => {
    const { status, heading, language, headers, words } = await one.ask();
    expect({ status, heading, language }).toEqual({
      status: 200,
      heading: "50 SEK on us",
      language: "en",
    });
    expect(words("shop")).toEqual(["Kiosk & Sons"]);
    const policy = headers.get("content-security-policy");
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy?.split("; ")).toContain(rule);
    expect(headers.get("referrer-policy")).toBe("same-origin"); // with no-referrer a form's Origin is null
    expect((await one.ask({ headers: { "accept-language": "de, sv-SE;q=0.9, en;q=0.5" } })).language).toBe("sv");
    expect((await one.ask({ headers: { "accept-language": "sv;q=0, fr" } })).language).toBe("en");
  });

  it.each(["/page.css", "/page.js", "/icon.svg"])("serves %s", async (path) => {
    expect((await one.ask({}, path)).status).toBe(200);
  });

  it("requests the customer's voucher from the platform, with the pressed button and the page's language", async () => {
    const { status, heading, words } = await one.send({ ...filled, button: "2", email: " Anna@example.com " });
    expect(one.requests).toEqual([{ ...page, button: 2, email: "Anna@example.com", locale: "en" }]);
    expect([status, heading, words("address")]).toEqual([200, "Check your mail", ["Anna@example.com"]]);
  });

  it("does not reveal whether an address got today's voucher before, and says if its mail could not be delivered", async () => {
    const page = (await one.send()).words("lead");
    one.platform.answer = "emailed";
    expect((await one.send()).words("lead")).toEqual(page);
    one.platform.answer = "emailFailed";
    one.platform.reason = "addressRefused";
    const { status, words } = await one.send();
    expect([status, words("error")]).toEqual([422, [undelivered]]);
  });

  it.each([
    ["addressRefused", 422, undelivered],
    ["mailServerSilent", 422, undelivered],
    ["rateLimited", 422, unsent],
    ["tokenRevoked", 422, unsent],
    ["limitReached", 409, "This offer is taking a break"],
  ] as const)("tells a customer who waits for the mail that it failed: %s", async (statusReason, status, words) => {
    const { follows } = await one.send();
    const listed = {
      requestID: page.productID,
      button: 1,
      email: "a***@example.com",
      createdAt: "2026-11-24T08:00:00Z",
    };
    for (const state of [undefined, "received", "issued", "emailed"] as const) {
      one.platform.listed = state ? [{ ...listed, status: state }] : [];
      one.wait(1);
      const { status, text } = await one.ask({}, follows);
      expect([status, text]).toEqual([204, ""]);
    }
    one.platform.listed = [{ ...listed, status: "emailFailed", statusReason }];
    one.wait(1);
    const told = await one.ask({}, follows);
    expect([told.status, [...told.words("error"), told.heading]]).toEqual([status, expect.arrayContaining([words])]);
    expect(told.text).not.toContain(listed.email);
    expect((await one.ask({}, "/sent/another")).status).toBe(204);
  });

  it.each([
    ["no address", { email: " " }, "Write your e-mail address, such as anna@example.com."],
    ["half an address", { email: "anna@" }, "Write your e-mail address, such as anna@example.com."],
    ["no consent", { consent: "" }, "Tick the box, so that we may send you the mail."],
    ["a button that the page does not have", { button: "3" }, "Choose one of the vouchers."],
    ["a button by the name of what every object has", { button: "constructor" }, "Choose one of the vouchers."],
  ])("names the errors, keeps the valid fields, and does not call the platform: %s", async (_, wrong, sentence) => {
    const { status, text, words } = await one.send({ ...filled, ...wrong });
    expect([status, [...words("error"), ...words("notice")]]).toEqual([422, [sentence]]);
    if (!("email" in wrong)) expect(text).toContain('value="anna@example.com"');
    expect(text).toContain("<title>Error: ");
    expect(one.requests).toEqual([]);
  });

  it("shows any typed text as text", async () => {
    for (const [index, typed] of naughtyTexts.entries()) {
      const network = { "x-forwarded-for": `203.0.113.${index}` };
      for (const email of [typed, `${typed.replaceAll(/[\s@]/g, "")}@example.com`]) {
        const { text, scripts, heading } = await one.send({ ...filled, email }, network);
        expect({ email, scripts }).toEqual({ email, scripts: 1 }); // the page's own
        expect(heading).toMatch(/^(50 SEK on us|Check your mail)$/);
        expect(text).not.toMatch(/<(?:img|svg|base|table|a href='javascript)/i);
      }
    }
  });
});

describe("trouble", () => {
  const unavailable = "The vouchers cannot be reached just now. Please try again in a minute: you will not get two.";
  const fault = "Something is wrong on our side, and we have taken note of it. Please come back later.";
  it.each([
    [
      "five vouchers within an hour",
      refused(429, "rate_limited", { retryable: true, seconds: 1790 }),
      429,
      "That was a lot of requests. Please try again in 30 minutes.",
    ],
    ["tables away", refused(503, "dependency_unavailable", { retryable: true, seconds: 2 }), 503, unavailable],
    ["no response", new NoResponse(new Error("reset")), 503, unavailable],
    ["a proxy's page", new UnexpectedResponse(502), 503, unavailable],
    ["no such template", refused(404, "access_token_template_not_found"), 500, fault],
    ["a page of another product", refused(409, "landing_page_conflict"), 500, fault],
    ["a wrong password", refused(401, "invalid_credentials"), 500, fault],
  ])("is reported in plain words: %s", async (_, error, status, sentence) => {
    one.platform.answer = error;
    const shown = await one.send();
    expect([shown.status, shown.words("notice")]).toEqual([status, [sentence]]);
    expect(shown.text).toContain('value="anna@example.com"'); // so that the customer can send it again
    expect(shown.headers.has("retry-after")).toBe(status !== 500);
    expect(one.reports).toHaveLength(status === 429 ? 0 : 1); // only the shop can repair the others
    expect(one.reports.join()).not.toContain("anna");
  });

  it("with an address that the platform refuses is reported at its field", async () => {
    one.platform.answer = refused(422, "validation_failed", {
      errors: [{ field: "email", code: "invalid", message: "is none" }],
    });
    const { status, words } = await one.send();
    expect([status, words("error")]).toEqual([422, ["Write your e-mail address, such as anna@example.com."]]);
  });

  it.each([
    ["disabled", "This offer is taking a break"],
    ["expired", "This offer has ended"],
  ] as const)("of a page that is %s shows that page, without a form", async (state, heading) => {
    expect((await one.ask()).text).toContain("<form");
    one.platform.state = state;
    one.platform.answer = refused(409, "landing_page_unavailable");
    const sent = await one.send();
    expect([sent.status, sent.heading]).toEqual([409, heading]);
    const read = await one.ask();
    expect([read.status, read.heading, read.text.includes("<form")]).toEqual([200, heading, false]);
    one.platform.state = "active";
    one.wait(10);
    expect((await one.ask()).text).toContain("<form");
  });

  it("with the page's state hides nothing: the form shows the truth", async () => {
    one.platform.state = new NoResponse(new Error("reset"));
    expect((await one.ask()).text).toContain("<form");
    expect(one.reports).toEqual(["The page's state is not known: No response from the platform: reset."]);
  });

  it("is not reported if the page had no request yet", async () => {
    one.platform.state = refused(404, "landing_page_not_found");
    expect((await one.ask()).text).toContain("<form");
    expect(one.reports).toEqual([]);
  });

  it("is not caused by many readers: they query the platform once in ten seconds", async () => {
    await Promise.all(Array.from({ length: 20 }, () => one.ask()));
    expect(one.platform.reads).toBe(1);
  });
});

describe("guesses", () => {
  const from = (network: string) => ({ "x-forwarded-for": `198.51.100.7, ${network}` }); // the proxy adds the last one

  it("are limited for a network, whatever it requests", async () => {
    const guess = (n: number, network: string) => one.send({ ...filled, email: `a${n}@example.com` }, from(network));
    for (let n = 0; n < 20; n++) expect((await guess(n, `2001:db8:0:1::${n}`)).status).toBe(200);
    const limited = await guess(20, "2001:db8:0:1:ffff::");
    expect([limited.status, limited.words("notice")]).toEqual([
      429,
      ["That was a lot of requests. Please try again in 10 minutes."],
    ]);
    expect(limited.headers.get("retry-after")).toBe("600");
    expect((await guess(20, "2001:db8:0:2::")).status).toBe(200);
    expect(one.requests).toHaveLength(21);
    one.wait(600);
    expect((await guess(21, "2001:db8:0:1::")).status).toBe(200);
  });

  it("are limited for an address, from any network", async () => {
    const statuses = [];
    for (let n = 0; n < 6; n++)
      statuses.push(
        (await one.send({ ...filled, email: n % 2 ? "ANNA@example.com" : filled.email }, from(`203.0.113.${n}`)))
          .status,
      );
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await one.send({ ...filled, email: "bo@example.com" })).status).toBe(200);
  });
});

describe("a request that no browser sends from the page", () => {
  const form = (headers: Record<string, string>, body = new URLSearchParams(filled).toString()): RequestInit => ({
    method: "POST",
    body,
    headers,
  });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  it.each<[string, number, RequestInit, string?]>([
    ["another page's form", 403, form({ ...type, origin: "https://evil.example" })],
    ["a form without an origin", 403, form(type)],
    ["another method", 405, { method: "PUT", body: "x" }],
    ["another path", 404, {}, "/stack.json"],
    ["a path out of its folder", 404, {}, "/..%2fserver.ts"],
  ])("is refused: %s", async (_, status, init, path) => {
    expect((await one.ask(init, path)).status).toBe(status);
    expect(one.requests).toEqual([]);
  });

  it("is refused: JSON, and more than two kilobytes", async () => {
    expect((await one.send(filled, { "content-type": "application/json" })).status).toBe(415);
    expect((await one.send({ ...filled, email: `${"a".repeat(2_048)}@example.com` })).status).toBe(413);
    expect(one.requests).toEqual([]);
  });
});
