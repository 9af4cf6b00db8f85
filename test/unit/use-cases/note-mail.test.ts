import { describe, expect, it } from "vitest";
import type { MailReply } from "../../../shared/ports/mails.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { readLandingPage } from "../../../shared/use-cases/vouchers/read-landing-page.ts";
import { requestAccessToken } from "../../../shared/use-cases/vouchers/request-access-token.ts";
import { toLandingPageObject } from "../../../shared/contracts/objects/landing-page.ts";
import { closeAlert } from "../../../shared/domain/alert.ts";
import { aCall } from "../../support/calls.ts";
import { aTemplate, anIssuance, anAskedToken, landingPageId } from "../../support/consumer.ts";
import { aPlatform } from "../../support/platform.ts";

const sent: MailReply = { kind: "sent" };
const silent: MailReply = { kind: "failed", reason: "ETIMEDOUT" };
const { templateId } = aTemplate();
const identity = { subject: { kind: "platform" }, kind: "mailsFailing", about: templateId } as const;

/** A platform whose mail server replies with `server.reply`. */
async function aPlatformWithMails() {
  const platform = await aPlatform();
  const { deps } = platform;
  await deps.accessTokenTemplates.add(aTemplate(), anIssuance());
  const server = { reply: sent };
  deps.mails.send = async (mail) => {
    platform.mailsSent.push(mail);
    return server.reply;
  };
  let customers = 0;
  /** This many customers request a voucher, one after the other. */
  const ask = async (count: number, seconds = 1) => {
    for (let i = 0; i < count; i++) {
      const asked = await requestAccessToken(
        deps,
        aCall(deps),
        anAskedToken({ email: `customer.${++customers}@example.com` }),
      );
      if (!asked.ok) throw new Error(asked.error.code);
      await platform.pass(seconds);
    }
  };
  const alert = async () => (await deps.alerts.find(identity))?.alert;
  return { platform, server, ask, alert };
}

describe("an operator", () => {
  it("is notified once when the mails of five customers in a row fail, and the alert says how", async () => {
    const { platform, server, ask, alert } = await aPlatformWithMails();
    server.reply = { kind: "mailRefused", reason: "EMESSAGE 554" };
    await ask(4);
    expect(await alert()).toBeUndefined();
    await ask(6);
    expect(await alert()).toMatchObject({
      status: "open",
      count: 1,
      detail: "5 in a row within an hour; the last: mailRefused EMESSAGE 554",
    });
    expect(platform.log.of("alertRaised")).toHaveLength(1);
    expect(JSON.stringify([platform.log.lines, await alert()])).not.toContain("customer.");
  });

  it("is not notified for one customer's mail, however often it is retried", async () => {
    const { platform, server, ask, alert } = await aPlatformWithMails();
    platform.deps.mails.nextAttemptAfter = (attempt) => (attempt < 20 ? 5 : undefined);
    server.reply = silent;
    await ask(1);
    await platform.pass(600);
    expect(platform.mailsSent).toHaveLength(20);
    expect(await alert()).toBeUndefined();
  });

  it("is not notified for wrong addresses between successful mails", async () => {
    const { server, ask, alert } = await aPlatformWithMails();
    for (let i = 0; i < 5; i++) {
      server.reply = { kind: "refused", reason: "EENVELOPE 550" };
      await ask(3);
      server.reply = sent;
      await ask(1);
    }
    expect(await alert()).toBeUndefined();
  });

  it("is not notified for five failures in more than an hour", async () => {
    const { server, ask, alert } = await aPlatformWithMails();
    server.reply = { kind: "refused", reason: "EENVELOPE 550" };
    await ask(10, 1_000);
    expect(await alert()).toBeUndefined();
  });

  it("is notified at once when the mail server refuses the platform's own credentials, and the customer still gets the mail", async () => {
    const { platform, server, ask, alert } = await aPlatformWithMails();
    server.reply = { kind: "failed", reason: "EAUTH 535", isLogin: true };
    await ask(1);
    expect(await alert()).toMatchObject({ status: "open", detail: expect.stringContaining("EAUTH 535") });
    server.reply = sent;
    await platform.pass(10);
    const page = await readLandingPage(platform.deps, aCall(platform.deps), landingPageId);
    expect(page.ok && page.value.requests).toMatchObject([{ status: "emailed" }]);
  });

  it("need not close the alert once mails succeed again, and is notified again when they fail again", async () => {
    const { server, ask, alert } = await aPlatformWithMails();
    server.reply = { kind: "refused", reason: "EENVELOPE 550" };
    await ask(5);
    server.reply = sent;
    await ask(1);
    expect(await alert()).toMatchObject({ status: "closed", closings: [{ by: "platform" }] });
    server.reply = { kind: "refused", reason: "EENVELOPE 550" };
    await ask(5);
    expect(await alert()).toMatchObject({ status: "open", count: 2 });
  });

  it("who closed it too soon is notified again after an hour", async () => {
    const { platform, server, ask, alert } = await aPlatformWithMails();
    server.reply = { kind: "refused", reason: "EENVELOPE 550" };
    await ask(5);
    const read = await platform.deps.alerts.find(identity);
    const closed = read && closeAlert(read.alert, { by: "eve", why: "seen", at: platform.deps.clock.now() });
    if (closed) await platform.deps.alerts.save(closed, read);
    await ask(5);
    expect(await alert()).toMatchObject({ status: "closed" });
    await platform.pass(3_600);
    await ask(5);
    expect(await alert()).toMatchObject({ status: "open", count: 2 });
  });

  it("sees an alert closed whose message was late, by the next successful mail", async () => {
    const { platform, server, ask, alert } = await aPlatformWithMails();
    server.reply = { kind: "refused", reason: "EENVELOPE 550" };
    const { send } = platform.deps.bareAlerts;
    const late: Parameters<typeof send>[0][] = [];
    platform.deps.bareAlerts.send = async (raised) => void late.push(raised);
    await ask(5);
    server.reply = sent;
    await ask(1);
    for (const raised of late) await send(raised);
    await platform.pass(1);
    expect(await alert()).toMatchObject({ status: "open" });
    await ask(1);
    expect(await alert()).toMatchObject({ status: "closed" });
  });
});

it("a sent mail is not sent again because others wrote its template's row", async () => {
  const { platform, server, ask } = await aPlatformWithMails();
  server.reply = silent;
  await ask(1);
  platform.deps.accessTokenTemplates.saveTrouble = async () => {
    throw new Conflict("another writer was first");
  };
  server.reply = sent;
  await platform.pass(60);
  expect(platform.mailsSent).toHaveLength(2);
});

it("a landing page shows which of its mails the server refused because of the mail itself", async () => {
  const { platform, server, ask } = await aPlatformWithMails();
  server.reply = { kind: "mailRefused", reason: "EMESSAGE 554" };
  await ask(1);
  const page = await readLandingPage(platform.deps, aCall(platform.deps), landingPageId);
  expect(page.ok && toLandingPageObject(page.value).requests).toMatchObject([
    { status: "emailFailed", statusReason: "mailRefused" },
  ]);
});
