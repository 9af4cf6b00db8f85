import { describe, expect, it } from "vitest";
import type { WebhookResponse } from "../../../shared/ports/webhooks.ts";
import { registerHost, removeHost } from "../../../shared/use-cases/webhooks/webhook-hosts.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { aCall } from "../../support/calls.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aPlatform, partnerId } from "../../support/platform.ts";

const own = "https://hooks.example.com/events";
const other = "https://elsewhere.example.com/events";
const YEAR = 365 * 86_400;

/** A platform whose partner has this address for its webhooks, and a server that responds like this to challenges. */
async function aPartnerAt(webhookUrl: string | undefined) {
  const platform = await aPlatform();
  const { deps } = platform;
  const challenges: string[] = [];
  let response: WebhookResponse = { kind: "delivered", status: 200, ms: 1 };
  deps.webhooks.challenge = async ({ url }) => {
    challenges.push(url);
    return response;
  };
  const read = async () => {
    const stored = await deps.partners.read(partnerId);
    if (!stored) throw new Error("no partner");
    return stored;
  };
  const stored = await read();
  await deps.partners.save({ ...stored.partner, webhookUrl }, stored.etag);
  return {
    platform,
    challenges,
    register: async (url: string) => registerHost(deps, aCall(deps), await read(), url),
    remove: async (host: string) => removeHost(deps, aCall(deps), await read(), host),
    respond: (next: WebhookResponse) => void (response = next),
    hosts: async () => (await read()).partner.webhookHosts?.map(({ host, provenAt }) => ({ host, provenAt })),
    /** A payment whose request named this address. Returns the delivery attempts of its webhooks. */
    async payAt(url?: string) {
      const payment = await aPaymentOn(platform, { webhookUrl: url });
      await payment.sendReport("accepted", {}, "wait");
      await platform.pass(1);
      const subject = paymentSubjectOf(payment.key);
      const attempts = await deps.commands.attempts(subject);
      const page = await deps.feeds.after(partnerId, 0, 100);
      return { attempts, inFeed: JSON.stringify(page).includes(payment.sessionId) };
    },
  };
}

describe("a partner's registered hosts", () => {
  it("are those whose server returned the nonce", async () => {
    const partner = await aPartnerAt(own);
    partner.respond({ kind: "failed", status: 200, reason: "challenge", ms: 1 });
    expect(await partner.register(own)).toEqual({
      why: "hooks.example.com did not return the nonce of the challenge: challenge 200.",
    });
    partner.respond({ kind: "failed", reason: "tls", code: "CERT_HAS_EXPIRED", ms: 1 });
    expect(await partner.register(own)).toMatchObject({ why: expect.stringContaining(": tls CERT_HAS_EXPIRED.") });
    expect(await partner.hosts()).toBeUndefined();
    partner.respond({ kind: "delivered", status: 200, ms: 1 });
    await partner.register(own);
    expect(await partner.hosts()).toMatchObject([{ host: "hooks.example.com" }]);
  });

  it("begin with the host of the partner's own address, so that its webhooks continue", async () => {
    const partner = await aPartnerAt(own);
    expect(await partner.register(other)).toMatchObject({ why: expect.stringContaining("hooks.example.com") });
    expect(partner.challenges).toEqual([]);
  });

  it("are the only ones that get webhooks: one to another host is given up at once, and the event stays in the feed", async () => {
    const partner = await aPartnerAt(own);
    const [before] = (await partner.payAt(other)).attempts;
    expect(before).toMatchObject({ outcome: "delivered" }); // no host is registered
    await partner.register(own);
    const { attempts, inFeed } = await partner.payAt(other);
    expect(attempts).toMatchObject([{ attempt: 1, outcome: "host-not-registered" }]);
    expect(inFeed).toBe(true);
    await partner.platform.pass(86_400);
    expect(partner.platform.webhooksSent.filter(({ url }) => url === other)).toHaveLength(1);
    expect((await partner.payAt(`${own}/tills`)).attempts).toMatchObject([{ outcome: "delivered" }]);
  });

  it("prove themselves once a year, before a webhook; while a host cannot, its webhooks wait and are sent afterwards", async () => {
    const partner = await aPartnerAt(own);
    await partner.register(own);
    await partner.platform.pass(YEAR - 60);
    await partner.payAt();
    expect(partner.challenges).toHaveLength(1);
    partner.respond({ kind: "failed", status: 404, reason: "status", ms: 1 });
    await partner.platform.pass(120);
    const sent = partner.platform.webhooksSent.length;
    expect((await partner.payAt()).attempts).toMatchObject([{ outcome: "status", status: 404 }]);
    expect(partner.platform.webhooksSent).toHaveLength(sent);
    partner.respond({ kind: "delivered", status: 200, ms: 1 });
    await partner.platform.pass(60);
    expect(partner.platform.webhooksSent.length).toBeGreaterThan(sent);
    const challenged = partner.challenges.length;
    await partner.payAt();
    expect(partner.challenges).toHaveLength(challenged);
  });

  it("cannot exclude the partner's own address; without any hosts every address is allowed again", async () => {
    const partner = await aPartnerAt(own);
    await partner.register(own);
    await partner.register(other);
    expect(await partner.remove("hooks.example.com")).toMatchObject({ why: expect.stringContaining("set-url") });
    expect(await partner.remove("unknown.example.com")).toMatchObject({
      why: expect.stringContaining("not registered"),
    });
    await partner.remove("elsewhere.example.com");
    await partner.remove("hooks.example.com");
    expect(await partner.hosts()).toBeUndefined();
    expect((await partner.payAt(other)).attempts).toMatchObject([{ outcome: "delivered" }]);
  });
});
