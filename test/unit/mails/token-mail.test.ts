import { describe, expect, it } from "vitest";
import { writeTokenMail } from "../../../shared/mails/token-mail.ts";
import type { TokenMail } from "../../../shared/ports/mails.ts";

const aMail = (more: Partial<TokenMail> = {}): TokenMail => ({
  id: "r1",
  to: "anna@example.com",
  pageName: "Kaffe & kaka",
  kind: "voucher",
  value: { kind: "amount", amount: 5_000, currency: "SEK" },
  code: "7KQ2-9XHD-M3PC-W8T*",
  validUntil: "2026-12-31T23:30:00.000Z",
  locale: "en-SE",
  timeZone: "Europe/Stockholm",
  ...more,
});
/** Intl writes no-break spaces; people read spaces. */
const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("the mail of a token", () => {
  it("shows its purpose, the code and the end of its validity in the template's time zone", () => {
    const { subject, text, html } = writeTokenMail(aMail());
    expect(subject).toBe("Your voucher: Kaffe & kaka");
    for (const part of [text, html]) {
      expect(part).toContain("7KQ2-9XHD-M3PC-W8T*");
      expect(spaced(part)).toMatch(/1 January 2027.*00:30/);
    }
    expect(spaced(text)).toContain("50 kr");
  });

  it("is in Swedish where the template is", () => {
    const { subject, text } = writeTokenMail(aMail({ locale: "sv-SE", kind: "key", value: undefined }));
    expect(subject).toBe("Din nyckel: Kaffe & kaka");
    expect(spaced(text)).toMatch(/Gäller till och med 1 januari 2027.*00:30/);
    expect(text).not.toContain("drar av");
  });

  it.each([
    ["en-US", "America/New_York", { kind: "amount", amount: 1_250, currency: "USD" }, /\$12\.50/, /December 31, 2026/],
    ["ja-JP", "Asia/Tokyo", { kind: "amount", amount: 500, currency: "JPY" }, /[¥￥]500/, /2027年1月1日/],
    ["sv-SE", "Europe/Stockholm", { kind: "percent", percent: 12.5 }, /12,5 %/, /1 januari 2027/],
  ] as const)("writes money and dates as %s does", (locale, timeZone, value, worth, until) => {
    const text = spaced(writeTokenMail(aMail({ locale, timeZone, value })).text);
    expect(text).toMatch(worth);
    expect(text).toMatch(until);
  });

  it("escapes the page's name", () => {
    const { html } = writeTokenMail(aMail({ pageName: `<script>"&` }));
    expect(html).toContain("&lt;script&gt;&quot;&amp;");
    expect(html).not.toContain("<script>");
  });
});
