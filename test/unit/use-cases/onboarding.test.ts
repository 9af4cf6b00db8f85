import { describe, expect, it } from "vitest";
import { partner as partnersApi, terminal as terminalsApi } from "../../../shared/edge/auth/authenticate.ts";
import { newKeys } from "../../../infra/operator/common/new-keys.ts";
import { after } from "../../../shared/domain/time.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { scopes } from "../../../shared/stores/partners.ts";
import type { TerminalView } from "../../../shared/stores/terminals.ts";
import { createKey, expireKey, revokeKey, rotateKey } from "../../../shared/use-cases/operator/onboarding/keys.ts";
import {
  createPartner,
  disablePartner,
  enablePartner,
  keysOf,
} from "../../../shared/use-cases/operator/onboarding/partners.ts";
import {
  endRetirement,
  registerTerminal,
  rekeyTerminal,
  retireTerminal,
} from "../../../shared/use-cases/operator/onboarding/terminals.ts";
import { aCall } from "../../support/calls.ts";
import { withdrawRefunds } from "../../../shared/use-cases/operator/onboarding/withdraw-refunds.ts";
import {
  addWebhookSecret,
  dropOldWebhookSecrets,
} from "../../../shared/use-cases/operator/onboarding/webhook-secrets.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPayment, approval, fetchNext } from "../../support/a-payment.ts";
import {
  aPlatform,
  aRequest,
  callBy,
  merchantId,
  partnerId,
  terminalId as platformsTerminal,
  type Platform,
} from "../../support/platform.ts";
import { aTill } from "../../support/tills.ts";
import { noAuthWork } from "../../support/auth-deps.ts";

const peppers = { p2: "the pepper of new keys", p1: "an older pepper" };
const newId = () => "aaaaaaaa-0000-4000-8000-00000000000a";
const idAsReceived = "CCCCCCCC-0000-4000-8000-00000000000A";
const terminalId = idAsReceived.toLowerCase();

/** A partner with a key and a terminal, created as an operator does. */
async function onboarded() {
  const platform = await aPlatform();
  const deps = { ...platform.deps, newKeys: newKeys(peppers) };
  const now = () => platform.deps.clock.now();
  const { partner, webhookSecret } = await createPartner(deps, { now, newId }, { name: "Kassabolaget" });
  const { partnerId } = partner;
  const wish = { idAsReceived, partnerId, merchantId, name: "Kassa 3", strictOrders: false };
  const auth = { ...deps, peppers, ...noAuthWork };
  const isAccepted = async (apikey: string) => {
    const headers = new Headers({ apikey });
    return (await partnersApi("payments").authenticate({ headers } as never, auth)).ok;
  };
  const isTerminal = async (key: string) => {
    const headers = new Headers({ "x-terminal-key": key });
    return (await terminalsApi.authenticate({ headers } as never, auth)).ok;
  };
  const storedKey = async (keyId: string) => {
    const stored = await deps.partners.readKey(keyId);
    if (!stored) throw new Error("the key is gone");
    return stored;
  };
  const stored = async () => {
    const stored = await deps.partners.read(partnerId);
    if (!stored) throw new Error("the partner is gone");
    return stored;
  };
  const view = () => viewOf(deps, terminalId);
  return { platform, deps, now, partnerId, webhookSecret, wish, isAccepted, isTerminal, storedKey, stored, view };
}

describe("a key", () => {
  it("gives access as soon as it is created, and its text is stored nowhere", async () => {
    const { deps, now, partnerId, isAccepted, storedKey } = await onboarded();
    const { key, apikey } = await createKey(deps, { partnerId, scopes }, now());
    expect(await isAccepted(apikey)).toBe(true);
    const stored = await storedKey(key.keyId);
    expect(stored.key).toMatchObject({ partnerId, scopes, pepperId: "p2" });
    expect(JSON.stringify(stored)).not.toContain(apikey.split("_")[2]);
    expect(await deps.partners.keyIds(partnerId)).toEqual([key.keyId]);
  });

  it("is rotated: the new one has its scopes and terminals, and the old one expires after the overlap", async () => {
    const { platform, deps, now, partnerId, isAccepted, storedKey } = await onboarded();
    const old = await createKey(deps, { partnerId, scopes: ["payments"], terminalIds: [terminalId] }, now());
    const { made } = await rotateKey(deps, await storedKey(old.key.keyId), { now: now(), keepSeconds: 60 });
    expect(made.key).toMatchObject({ scopes: ["payments"], terminalIds: [terminalId] });
    expect([await isAccepted(old.apikey), await isAccepted(made.apikey)]).toEqual([true, true]);
    await platform.pass(60);
    expect([await isAccepted(old.apikey), await isAccepted(made.apikey)]).toEqual([false, true]);
  });

  it("that expires before the end of the overlap still expires then", async () => {
    const { deps, now, partnerId, storedKey } = await onboarded();
    const expiresAt = after(now(), 10);
    const { key } = await createKey(deps, { partnerId, scopes, expiresAt }, now());
    const { old } = await rotateKey(deps, await storedKey(key.keyId), { now: now(), keepSeconds: 60 });
    expect(old.expiresAt).toBe(expiresAt);
  });

  it("that is revoked gives no access, whatever is done to it later", async () => {
    const { deps, now, partnerId, isAccepted, storedKey } = await onboarded();
    const { key, apikey } = await createKey(deps, { partnerId, scopes }, now());
    await revokeKey(deps, await storedKey(key.keyId), now());
    expect(await isAccepted(apikey)).toBe(false);
    await expireKey(deps, await storedKey(key.keyId), { now: now(), expiresAt: after(now(), 60) });
    expect(await isAccepted(apikey)).toBe(false);
  });

  it("is not changed by an operator who has read an older state", async () => {
    const { deps, now, partnerId, storedKey } = await onboarded();
    const { key } = await createKey(deps, { partnerId, scopes }, now());
    const read = await storedKey(key.keyId);
    await revokeKey(deps, read, now());
    await expect(expireKey(deps, read, { now: now(), expiresAt: now() })).rejects.toThrow(Conflict);
  });
});

describe("a partner", () => {
  it("that is disabled has no access with any key, and has it again once enabled; revoked keys stay revoked", async () => {
    const { deps, now, partnerId, isAccepted, stored, storedKey } = await onboarded();
    const keys = await Promise.all([1, 2, 3].map(() => createKey(deps, { partnerId, scopes }, now())));
    const accepted = () => Promise.all(keys.map(({ apikey }) => isAccepted(apikey)));
    await revokeKey(deps, await storedKey(keys[2]?.key.keyId ?? ""), now());
    await disablePartner(deps, await stored(), now());
    expect(await accepted()).toEqual([false, false, false]);
    await enablePartner(deps, await stored(), now());
    expect(await accepted()).toEqual([true, true, false]);
  });

  it("that is disabled while a key is created for it gives that key no access either", async () => {
    const { deps, now, partnerId, isAccepted, stored } = await onboarded();
    await disablePartner(deps, await stored(), now());
    const { apikey } = await createKey(deps, { partnerId, scopes }, now());
    expect(await isAccepted(apikey)).toBe(false);
  });

  it("is disabled completely by a second run, if the first one broke off", async () => {
    const { deps, now, partnerId, isAccepted, stored } = await onboarded();
    const { apikey } = await createKey(deps, { partnerId, scopes }, now());
    const broken = { ...deps, partners: { ...deps.partners, saveKey: () => Promise.reject(new Error("power cut")) } };
    await expect(disablePartner(broken, await stored(), now())).rejects.toThrow("power cut");
    await disablePartner(deps, await stored(), now());
    expect(await isAccepted(apikey)).toBe(false);
    expect(await keysOf(deps, partnerId)).toMatchObject([{ key: { isDisabled: true } }]);
  });
});

it("a webhook secret is rotated while both sign, one rotation at a time", async () => {
  const { deps, now, webhookSecret, stored } = await onboarded();
  const secrets = async () => {
    const { partner } = await stored();
    return partner.webhookSecrets.map((secret) => deps.signing.open(partner.partnerId, secret));
  };
  expect(await dropOldWebhookSecrets(deps, await stored(), now())).toBeUndefined();
  const added = await addWebhookSecret(deps, await stored(), { now, newId: deps.newId });
  expect(await secrets()).toEqual([webhookSecret, added?.webhookSecret]);
  expect(await addWebhookSecret(deps, await stored(), { now, newId: deps.newId })).toBeUndefined();
  await dropOldWebhookSecrets(deps, await stored(), now());
  expect(await secrets()).toEqual([added?.webhookSecret]);
});

describe("a terminal", () => {
  const request = (partnerId: string, platform: Platform) =>
    requestPayment(
      platform.deps,
      { ...callBy(platform.deps), caller: { partnerId, keyId: "k" } },
      aRequest({ terminalId, asReceived: { sessionId: "s", merchantId, terminalId } }),
    );

  it("is registered once under an identifier", async () => {
    const { deps, now, partnerId, wish, isTerminal } = await onboarded();
    const registered = await registerTerminal(deps, wish, now());
    expect(registered?.terminal).toMatchObject({ terminalId, idAsReceived, status: "available" });
    expect(await isTerminal(registered?.terminalKey ?? "")).toBe(true);
    expect(await deps.partners.terminalIds(partnerId)).toEqual([terminalId]);
    await deps.terminals.seen(terminalId, now());
    expect(await registerTerminal(deps, wish, now())).toBeUndefined();
    expect(await isTerminal(registered?.terminalKey ?? "")).toBe(true);
  });

  it.each([
    "before the list",
    "after the list",
    "before the terminal",
    "after the terminal",
    "before the key is shown",
  ])("is registered by a second run if the first one broke off %s", async (place) => {
    const { deps, now, partnerId, wish, isTerminal } = await onboarded();
    const broken =
      <Args extends unknown[]>(what: string, write: (...args: Args) => Promise<void>) =>
      async (...args: Args): Promise<void> => {
        if (place === `before the ${what}`) throw new Error("power cut");
        await write(...args);
        if (place === `after the ${what}`) throw new Error("power cut");
      };
    const partners = { ...deps.partners, addTerminal: broken("list", deps.partners.addTerminal) };
    const terminals = { ...deps.terminals, save: broken("terminal", deps.terminals.save) };
    const first = registerTerminal({ ...deps, partners, terminals }, wish, now());
    if (place === "before the key is shown") await first;
    else await expect(first).rejects.toThrow("power cut");
    const made = await registerTerminal(deps, wish, now());
    expect(made?.terminal).toMatchObject({ terminalId, idAsReceived, partnerId, name: "Kassa 3" });
    expect(await isTerminal(made?.terminalKey ?? "")).toBe(true);
    expect(await deps.partners.terminalIds(partnerId)).toEqual([terminalId]);
  });

  it("of another description does not replace one that never polled", async () => {
    const { deps, now, wish, isTerminal } = await onboarded();
    const first = await registerTerminal(deps, wish, now());
    for (const other of [{ partnerId }, { merchantId: partnerId }, { name: "Kassa 4" }, { strictOrders: true }])
      expect(await registerTerminal(deps, { ...wish, ...other }, now())).toBeUndefined();
    expect(await isTerminal(first?.terminalKey ?? "")).toBe(true);
    expect(await deps.partners.terminalIds(partnerId)).not.toContain(terminalId);
  });

  it("has two keys while one replaces the other", async () => {
    const { platform, deps, now, wish, isTerminal, view } = await onboarded();
    const first = await registerTerminal(deps, wish, now());
    const second = await rekeyTerminal(deps, await view(), { now: now(), keepSeconds: 60 });
    const keys = [first?.terminalKey ?? "", second.terminalKey];
    expect(await Promise.all(keys.map(isTerminal))).toEqual([true, true]);
    await platform.pass(60);
    expect(await Promise.all(keys.map(isTerminal))).toEqual([false, true]);
  });

  it("is retired a minute after it was closed, and is unknown then", async () => {
    const { platform, deps, now, partnerId, wish, isTerminal, view } = await onboarded();
    const registered = await registerTerminal(deps, wish, now());
    await deps.terminals.seen(terminalId, now());
    const retire = async () => retireTerminal(deps, await view(), now());
    expect(await retire()).toEqual({ why: "available" });
    await close(deps, await view());
    expect(await retire()).toEqual({ why: "closedLately", seconds: 60 });
    await platform.pass(60);
    const broken = {
      ...deps,
      partners: { ...deps.partners, retireTerminal: () => Promise.reject(new Error("power cut")) },
    };
    await expect(retireTerminal(broken, await view(), now())).rejects.toThrow("power cut");
    expect(await endRetirement(deps, terminalId)).toMatchObject({ terminalId, retiredAt: now() });

    expect(await isTerminal(registered?.terminalKey ?? "")).toBe(false);
    expect(await request(partnerId, platform)).toMatchObject({ ok: false, error: { code: "terminal_not_found" } });
    expect(await deps.partners.terminalIds(partnerId)).toEqual([]);
    expect(await deps.terminals.findRetired(terminalId)).toMatchObject({ name: "Kassa 3", retiredAt: now() });
    expect(await registerTerminal(deps, wish, now())).toBeUndefined();
  });

  it.each(["its first payment", "another payment"])("that is retired refuses a slow request for %s", async (which) => {
    const platform = await aPlatform();
    const { deps } = platform;
    const till = await aTill(platform);
    if (which === "another payment") {
      const before = await till.ask(undefined);
      await platform.pass();
      const messageId = (await fetchNext(platform, till.terminalId))?.messageId;
      await till.sendReport(before.sessionId, "declined", { messageId });
      await platform.pass();
    }
    const { payments } = deps;
    deps.payments = {
      ...payments,
      async commit(...given) {
        deps.payments = payments;
        const { terminal, etag } = await viewOf(deps, till.terminalId);
        await deps.terminals.save({ ...terminal, status: "closed" }, etag); // as if it were closed for long
        const retired = await retireTerminal(deps, await viewOf(deps, till.terminalId), deps.clock.now());
        expect(retired).toMatchObject({ terminalId: till.terminalId });
        return payments.commit(...given);
      },
    };
    const { answer, sessionId } = await till.ask(undefined);
    expect(answer).toEqual({ ok: false, error: { code: "terminal_not_found" } });
    await expect(till.find(sessionId)).rejects.toThrow("the payment is gone");
  });

  it("is retired anyway once the refunds that it has not fetched are withdrawn, and nothing else is", async () => {
    const payment = await aPayment({ captureMode: "automatic" });
    const { platform, fetch, sendReport } = payment;
    const { deps } = platform;
    const view = () => viewOf(deps, platformsTerminal);
    const withdraw = async () => withdrawRefunds(deps, aCall(deps), await view());
    await sendReport("authorized", { ...approval, messageId: (await fetch())?.messageId });
    for (const refundId of ["first", "second"]) await payment.refund(1, { refundId, deliverWithinSeconds: 86_400 });
    await close(deps, await view());
    await platform.pass(60);
    const first = await fetch();
    expect(await withdraw()).toEqual({ why: "messages", messages: 1 });
    await sendReport("refunded", { refundId: "first", amount: 100, currency: "SEK", messageId: first?.messageId });
    expect(await withdraw()).toBeUndefined();
    await platform.pass();
    expect((await payment.now()).refunds).toMatchObject([
      { status: "succeeded" },
      { status: "failed", statusReason: "notDelivered" },
    ]);
    expect(payment.events().at(-1)).toBe("refund.failed");
    expect(await retireTerminal(deps, await view(), deps.clock.now())).toMatchObject({ terminalId: platformsTerminal });
  });

  it("that is retired lets no refund wait: one that was requested meanwhile fails at its first look", async () => {
    const payment = await aPayment({ captureMode: "automatic" });
    const { deps } = payment.platform;
    await payment.sendReport("authorized", { ...approval, messageId: (await payment.fetch())?.messageId });
    const view = await viewOf(deps, platformsTerminal);
    await payment.refund(1, { refundId: "slow", deliverWithinSeconds: 86_400 });
    await deps.terminals.retire({ ...view.terminal, retiredAt: deps.clock.now() }, view);
    await payment.platform.pass(601);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "failed", statusReason: "notDelivered" }] });
  });

  it("is not retired while a payment of it is open", async () => {
    const { platform, fetch, sendReport } = await aPayment();
    const { deps } = platform;
    const retire = async () => retireTerminal(deps, await viewOf(deps, platformsTerminal), deps.clock.now());
    await fetch();
    await sendReport("accepted");
    await sendReport("authorized", approval);
    await close(deps, await viewOf(deps, platformsTerminal));
    await platform.pass(60);
    expect(await retire()).toMatchObject({ why: "payments", payments: [{ partnerId }] });
  });
});

async function viewOf({ terminals }: Platform["deps"], terminalId: string): Promise<TerminalView> {
  const found = await terminals.find(terminalId);
  if (!found) throw new Error("the terminal is gone");
  return found;
}

const close = ({ terminals, clock }: Platform["deps"], { terminal, etag }: TerminalView) =>
  terminals.save({ ...terminal, status: "closed", updatedAt: clock.now() }, etag);
