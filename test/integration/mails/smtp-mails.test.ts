import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMailSink, type CaughtMail, type MailSink } from "../../../packages/workbench/stack/mail-sink/sink.ts";
import { freePort } from "../../../packages/local-azure/common/free-ports.ts";
import { smtpMails } from "../../../shared/adapters/mails/smtp-mails.ts";
import type { TokenMail } from "../../../shared/ports/mails.ts";
import { readQr } from "../../support/qr.ts";
import { aMail as sampleMail, brands, CODE } from "../../support/token-mails.ts";

let sink: MailSink;
const published: CaughtMail[] = [];
beforeAll(async () => {
  sink = await startMailSink({ smtpPort: 0, port: 0, caught: (mail) => published.push(mail) });
});
afterAll(async () => sink.close());

const mails = () => smtpMails({ url: `smtp://127.0.0.1:${sink.smtpPort}`, from: "A shop <shop@example.com>" });
const aMail = (to: string, more: Partial<TokenMail> = {}): TokenMail =>
  sampleMail({ to, pageName: "Höst & vår", locale: "sv-SE", ...more });
const caught = async (address: string) =>
  (await (await fetch(`http://127.0.0.1:${sink.port}/mails?address=${address}`)).json()) as CaughtMail[];

describe("a caught mail", () => {
  it("is published as the sink shows it, with its own identifier and time", async () => {
    const began = Date.now();
    await mails().send(aMail("both@example.com"));
    await mails().send(aMail("both@example.com"));
    const shown = await caught("both@example.com");
    expect(shown).toEqual(published.filter(({ address }) => address === "both@example.com"));
    expect(new Set(shown.map(({ id }) => id)).size).toBe(2);
    for (const { at } of shown) expect(at).toBeGreaterThanOrEqual(began);
  });
});

it("the sink continues when a sender dies in the middle of a mail", async () => {
  const socket = connect(sink.smtpPort, "127.0.0.1");
  for (const line of ["EHLO x", "MAIL FROM:<a@example.com>", "RCPT TO:<cut@example.com>", "DATA"]) {
    await once(socket, "data");
    socket.write(`${line}\r\n`);
  }
  await once(socket, "data");
  socket.write("Subject: half a mail\r\n");
  socket.resetAndDestroy();
  await once(socket, "close");
  expect(await mails().send(aMail("after@example.com"))).toEqual({ kind: "sent" });
  expect(await caught("cut@example.com")).toEqual([]);
});

describe("a token's mail", () => {
  it("arrives as text and HTML with a QR picture of the code, and the right characters in its subject", async () => {
    expect(await mails().send(aMail("anna@example.com"))).toEqual({ kind: "sent" });
    const [mail] = await caught("anna@example.com");
    expect(mail?.subject).toBe("Ditt värdebevis: Höst & vår");
    expect(mail?.text).toContain(CODE);
    expect(mail?.text).toContain("Värdebevis för: Höst & vår");
    expect(mail?.html).toContain("Höst &amp; vår");
    expect(mail?.html).toMatch(/<img src="cid:code@qr"/);
    expect(mail?.attachments).toMatchObject([{ filename: "code.png", contentType: "image/png" }]);
    expect(readQr(mail?.attachments[0]?.base64)).toBe(CODE);
    expect(mail?.headers).toMatchObject({
      from: "A shop <shop@example.com>",
      to: "anna@example.com",
      "message-id": "<0f0f0f0f-0000-4000-8000-000000000001@example.com>",
      "auto-submitted": "auto-generated",
    });
  });

  it("comes from the brand's own name, with its logo next to the code", async () => {
    await mails().send(aMail("cleo@example.com", { brand: brands.harbour }));
    const [mail] = await caught("cleo@example.com");
    expect(mail?.headers["from"]).toBe("Harbour Sauna <shop@example.com>");
    expect(mail?.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual([
      ["code.png", "code@qr"],
      ["logo.png", "logo@brand"],
    ]);
    expect(mail?.attachments[1]?.base64).toBe(brands.harbour.logo.png);
    expect(mail?.headers["content-type"]).toMatch(/^multipart\/alternative/);
  });

  it("gains no sender from a brand's name", async () => {
    await mails().send(
      aMail("dora@example.com", { brand: { ...brands.roastery, senderName: 'A" <eve@example.com>\r\nBcc: x' } }),
    );
    const [mail] = await caught("dora@example.com");
    expect(mail?.headers["from"]).toMatch(/<shop@example\.com>$/);
    expect(Object.keys(mail?.headers ?? {})).not.toContain("bcc");
  });

  it("gains no header from a name with a line break", async () => {
    await mails().send(aMail("bea@example.com", { pageName: "A\r\nBcc: eve@example.com\r\n\r\nx" }));
    const [mail] = await caught("bea@example.com");
    expect(Object.keys(mail?.headers ?? {})).not.toContain("bcc");
    expect(await caught("eve@example.com")).toEqual([]);
  });

  it("is rejected permanently when the mail server has no such mailbox, and the reason holds no address", async () => {
    const answer = await mails().send(aMail("refuse.me@example.com"));
    expect(answer).toEqual({ kind: "refused", reason: "EENVELOPE 550" });
  });

  it("fails temporarily when the mail server is busy, and is sent later", async () => {
    expect(await mails().send(aMail("busy@example.com"))).toMatchObject({ kind: "failed", reason: "EENVELOPE 451" });
    await mails().send(aMail("busy@example.com"));
    expect(await mails().send(aMail("busy@example.com"))).toEqual({ kind: "sent" });
    expect(await caught("busy@example.com")).toHaveLength(1);
  });

  it("fails temporarily when no server listens", async () => {
    const closedServer = smtpMails({ url: `smtp://127.0.0.1:${await freePort()}`, from: "shop@example.com" });
    expect(await closedServer.send(aMail("anna@example.com"))).toMatchObject({ kind: "failed" });
  });

  it("is distinguished from a mail that the server refuses for its content, and from credentials that it refuses", async () => {
    const strict = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      hideSize: true,
      onAuth: (_, __, callback) => callback(Object.assign(new Error("Wrong password"), { responseCode: 535 })),
      onData(stream, _, callback) {
        stream.resume().on("end", () => callback(Object.assign(new Error("5.7.1 Spam"), { responseCode: 554 })));
      },
    });
    const listening = strict.listen(0, "127.0.0.1");
    await once(listening, "listening");
    const { port } = listening.address() as AddressInfo;
    try {
      const sendWith = (credentials: string) =>
        smtpMails({ url: `smtp://${credentials}127.0.0.1:${port}`, from: "shop@example.com" }).send(
          aMail("anna@example.com"),
        );
      expect(await sendWith("")).toEqual({ kind: "mailRefused", reason: "EMESSAGE 554" });
      expect(await sendWith("shop:wrong@")).toEqual({ kind: "failed", reason: "EAUTH 535", isLogin: true });
    } finally {
      await new Promise<void>((resolve) => strict.close(resolve));
    }
  });

  it("is retried for a day and a half, at growing intervals", () => {
    const waits = Array.from({ length: 10 }, (_, i) => mails().nextAttemptAfter(i + 1)).filter((w) => w !== undefined);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(36 * 3_600);
    expect(mails().nextAttemptAfter(9)).toBeUndefined();
  });
});
