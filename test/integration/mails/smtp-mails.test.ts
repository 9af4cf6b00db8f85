import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMailSink, type CaughtMail, type MailSink } from "../../../infra/local/mail-sink/sink.ts";
import { freePort } from "../../../infra/local/common/free-ports.ts";
import { smtpMails } from "../../../shared/mails/smtp-mails.ts";
import type { TokenMail } from "../../../shared/ports/mails.ts";
import { readQr } from "../../support/qr.ts";

let sink: MailSink;
const published: CaughtMail[] = [];
beforeAll(async () => {
  sink = await startMailSink({ smtpPort: 0, port: 0, caught: (mail) => published.push(mail) });
});
afterAll(async () => sink.close());

const mails = () => smtpMails({ url: `smtp://127.0.0.1:${sink.smtpPort}`, from: "A shop <shop@example.com>" });
const aMail = (to: string, more: Partial<TokenMail> = {}): TokenMail => ({
  id: "0f0f0f0f-0000-4000-8000-000000000001",
  to,
  pageName: "Höst & vår",
  kind: "voucher",
  value: { kind: "amount", amount: 5_000, currency: "SEK" },
  code: "7KQ2-9XHD-M3PC-W8T*",
  validUntil: "2026-12-31T22:30:00.000Z",
  locale: "sv-SE",
  timeZone: "Europe/Stockholm",
  ...more,
});
const caught = async (address: string) =>
  (await (await fetch(`http://127.0.0.1:${sink.port}/mails?address=${address}`)).json()) as CaughtMail[];

describe("a caught mail", () => {
  it("is published as the sink shows it, with an identifier and a time of its own", async () => {
    const began = Date.now();
    await mails().send(aMail("both@example.com"));
    await mails().send(aMail("both@example.com"));
    const shown = await caught("both@example.com");
    expect(shown).toEqual(published.filter(({ address }) => address === "both@example.com"));
    expect(new Set(shown.map(({ id }) => id)).size).toBe(2);
    for (const { at } of shown) expect(at).toBeGreaterThanOrEqual(began);
  });
});

describe("a token's mail", () => {
  it("arrives as text and HTML with a QR picture of the code, and its subject's letters", async () => {
    expect(await mails().send(aMail("anna@example.com"))).toEqual({ kind: "sent" });
    const [mail] = await caught("anna@example.com");
    expect(mail?.subject).toBe("Ditt värdebevis: Höst & vår");
    expect(mail?.text).toContain("7KQ2-9XHD-M3PC-W8T*");
    expect(mail?.text).toContain("Här är ditt värdebevis för Höst & vår.");
    expect(mail?.html).toContain("Höst &amp; vår");
    expect(mail?.html).toMatch(/<img src="cid:code@qr"/);
    expect(mail?.attachments).toMatchObject([{ filename: "code.png", contentType: "image/png" }]);
    expect(readQr(mail?.attachments[0]?.base64)).toBe("7KQ2-9XHD-M3PC-W8T*");
    expect(mail?.headers).toMatchObject({
      from: "A shop <shop@example.com>",
      to: "anna@example.com",
      "message-id": "<0f0f0f0f-0000-4000-8000-000000000001@example.com>",
      "auto-submitted": "auto-generated",
    });
  });

  it("gains no header from a name with a line break", async () => {
    await mails().send(aMail("bea@example.com", { pageName: "A\r\nBcc: eve@example.com\r\n\r\nx" }));
    const [mail] = await caught("bea@example.com");
    expect(Object.keys(mail?.headers ?? {})).not.toContain("bcc");
    expect(await caught("eve@example.com")).toEqual([]);
  });

  it("is refused for good when the mail server has no such mailbox, and the reason holds no address", async () => {
    const answer = await mails().send(aMail("refuse.me@example.com"));
    expect(answer).toEqual({ kind: "refused", reason: "EENVELOPE 550" });
  });

  it("fails for now when the mail server is busy, and is sent later", async () => {
    expect(await mails().send(aMail("busy@example.com"))).toMatchObject({ kind: "failed", reason: "EENVELOPE 451" });
    await mails().send(aMail("busy@example.com"));
    expect(await mails().send(aMail("busy@example.com"))).toEqual({ kind: "sent" });
    expect(await caught("busy@example.com")).toHaveLength(1);
  });

  it("fails for now when no server listens", async () => {
    const closedServer = smtpMails({ url: `smtp://127.0.0.1:${await freePort()}`, from: "shop@example.com" });
    expect(await closedServer.send(aMail("anna@example.com"))).toMatchObject({ kind: "failed" });
  });

  it("is tried for a day and a half, at growing intervals", () => {
    const waits = Array.from({ length: 10 }, (_, i) => mails().nextAttemptAfter(i + 1)).filter((w) => w !== undefined);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(36 * 3_600);
    expect(mails().nextAttemptAfter(9)).toBeUndefined();
  });
});
