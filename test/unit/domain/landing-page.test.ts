import { describe, expect, it } from "vitest";
import { mailboxLimit, secondsUntilAnother } from "../../../shared/domain/token-limits.ts";
import {
  isReplay,
  mailGivenUp,
  mailSent,
  createTokenRequest,
  pageState,
  tokenIssued,
  type LandingPage,
} from "../../../shared/domain/landing-page.ts";
import { after } from "../../../shared/domain/time.ts";

const now = "2026-11-21T10:00:00.000Z";
const created = () => {
  const requested = { requestId: "r", landingPageId: "page", button: 1, addressKey: "key", tokenId: "t" };
  return createTokenRequest({ ...requested, email: "anna@example.com" }, now);
};
const issued = () => tokenIssued(created().request, now)?.request ?? expect.unreachable("not issued");

describe("a request for a token", () => {
  it("is received, issued, then emailed, with an effect for each step", () => {
    expect(created()).toMatchObject({ request: { status: "received", sequence: 1 }, effects: [{ kind: "issue" }] });
    expect(tokenIssued(created().request, now)).toMatchObject({
      request: { status: "issued", sequence: 2 },
      effects: [{ kind: "mail" }],
    });
    expect(mailSent(issued(), now)).toMatchObject({ request: { status: "emailed", sequence: 3 }, effects: [] });
  });

  it("keeps the whole address until the mail was sent or given up, and then only the mask", () => {
    expect(issued()).toMatchObject({ email: "anna@example.com", maskedEmail: "a***@e***.com" });
    for (const over of [mailSent(issued(), now), mailGivenUp(issued(), "addressRefused", now)]) {
      expect(over?.request).toMatchObject({ email: undefined, maskedEmail: "a***@e***.com" });
      expect(JSON.stringify(over?.request)).not.toContain("anna");
    }
  });

  it("does not change once it has ended", () => {
    const emailed = mailSent(issued(), now)?.request ?? expect.unreachable("not emailed");
    expect(tokenIssued(emailed, now)).toBeUndefined();
    expect(mailSent(emailed, now)).toBeUndefined();
    expect(mailGivenUp(emailed, "mailServerSilent", now)).toBeUndefined();
    expect(mailSent(created().request, now)).toBeUndefined();
  });

  it("is replayed for a day, unless the first got no token because of the limit", () => {
    const { request } = created();
    expect(isReplay(request, after(now, 86_399))).toBe(true);
    expect(isReplay(request, after(now, 86_400))).toBe(false);
    const refused = mailGivenUp(request, "rateLimited", now)?.request ?? expect.unreachable("not given up");
    expect(isReplay(refused, after(now, 60))).toBe(false);
  });
});

describe("the limit of five tokens an hour to one address", () => {
  const sent = (...minutesAgo: number[]) =>
    minutesAgo.map((minutes, i) => ({ tokenId: `t${i}`, at: after(now, -60 * minutes) }));

  it.each([
    ["none yet", [], undefined],
    ["four", [1, 2, 3, 4], undefined],
    ["five in the last hour", [50, 1, 2, 3, 4], 600],
    ["five, told in another order", [1, 50, 4, 3, 2], 600],
    ["more than five: until there are four", [50, 40, 30, 20, 10, 5], 1_200],
    ["five, one of them an hour ago", [60, 1, 2, 3, 4], undefined],
    ["five at this moment", [0, 0, 0, 0, 0], 3_600],
  ])("with %s", (_, minutesAgo, wait) => {
    expect(secondsUntilAnother(sent(...minutesAgo), mailboxLimit, now)).toBe(wait);
  });
});

describe("a landing page", () => {
  const page: LandingPage = {
    landingPageId: "page",
    productId: "product",
    templateId: "template",
    asReceived: { landingPageId: "page", productId: "product", templateId: "template" },
    name: "A page",
    status: "active",
    createdAt: now,
    updatedAt: now,
  };
  it("is active until its template ends, or the operator disables it", () => {
    expect(pageState(page, now)).toBe("active");
    expect(pageState({ ...page, endsAt: after(now, 1) }, now)).toBe("active");
    expect(pageState({ ...page, endsAt: now }, now)).toBe("expired");
    expect(pageState({ ...page, status: "disabled", endsAt: now }, now)).toBe("disabled");
  });
});
