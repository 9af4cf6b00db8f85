import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import type { NewMessage } from "../../../shared/stores/inboxes.ts";
import { inboxesTable } from "../../../shared/stores/inboxes.ts";
import { ordersTable } from "../../../shared/stores/orders.ts";
import { partnersTable } from "../../../shared/stores/partners.ts";
import { paymentsTable, type Taking } from "../../../shared/stores/payments.ts";
import { terminalsTable } from "../../../shared/stores/terminals.ts";
import { paymentKeyOf } from "../../../shared/ports/subjects.ts";
import { anApiKey, aPartner } from "../../support/a-partner.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { aTerminal, partnerId, terminalId } from "../../support/platform.ts";
import { onBothStores } from "../tables/stores.ts";

const now = "2026-11-21T10:00:00.000Z";
const message = (sequence: number, sessionId = "s1", createdAt = "2026-11-21T10:00:00.000Z"): NewMessage => ({
  slot: { createdAt, sessionId, sequence },
  messageId: `c${sequence}`,
  sessionIdAsReceived: sessionId.toUpperCase(),
  message: { type: "cancel" },
  expiresAt: "2026-11-21T10:02:00.000Z",
});
/** The commit of a new payment, and its session as the terminal's claim holds it. */
const aCommit = () => {
  const payment = aPaymentIn("pending");
  const { sessionId, asReceived } = payment;
  const entry = { sequence: 1, at: now, by: "partner", event: "request", to: "pending" } as const;
  return {
    key: paymentKeyOf(payment),
    holder: { sessionId, asReceived: asReceived.sessionId },
    commit: { payment, read: undefined, entry },
  };
};

/** A payment that was committed with messages of these sequences. */
async function withMessages(rows: Rows, sequences: readonly [number, ...number[]]) {
  const [inboxes, payments] = [inboxesTable(rows), paymentsTable(rows)];
  const { key, commit } = aCommit();
  const sent = sequences.map((sequence) => message(sequence));
  await payments.commit(key, { ...commit, messages: sent });
  let sequence = 1;
  return {
    inboxes,
    payments,
    key,
    commit,
    sent,
    read: () => inboxes.unanswered(terminalId),
    /** Commits a change of the payment that takes messages. */
    async change(taking: Taking) {
      const read = await payments.find(key);
      const entry = { ...commit.entry, sequence: sequence + 1 };
      await payments.commit(key, { ...commit, entry, read, ...taking });
      sequence++;
    },
  };
}

onBothStores("terminals and their inboxes", (newTable) => {
  it("show a terminal with its claim, heartbeat and description in one read", async () => {
    const rows = await newTable();
    const [terminals, payments] = [terminalsTable(rows), paymentsTable(rows)];
    expect(await terminals.find(terminalId)).toBeUndefined();
    await terminals.save(aTerminal(), undefined);
    expect(await terminals.find(terminalId)).toMatchObject({
      terminal: aTerminal(),
      claim: { etag: undefined },
      lastSeenAt: undefined,
      described: { can: [] },
    });
    await terminals.seen(terminalId, "2026-11-21T10:00:00.000Z");
    await terminals.seen(terminalId, "2026-11-21T10:00:15.000Z", 87);
    const described = { device: { maker: "Alpenpos", network: "wifi" }, can: ["tips"] } as const;
    await terminals.describe(terminalId, { can: ["an earlier ability"] });
    await terminals.describe(terminalId, described);
    const { key, holder, commit } = aCommit();
    await payments.commit(key, { ...commit, claim: { etag: undefined } });
    expect(await terminals.find(terminalId)).toMatchObject({
      claim: { holder, etag: expect.any(String) as string },
      lastSeenAt: "2026-11-21T10:00:15.000Z",
      batteryPercent: 87,
      described,
    });
  });

  it("return only a terminal's key record, and only its claim", async () => {
    const rows = await newTable();
    const [terminals, payments] = [terminalsTable(rows), paymentsTable(rows)];
    expect([await terminals.findKey(terminalId), await terminals.findClaim(terminalId)]).toEqual([
      undefined,
      { etag: undefined },
    ]);
    await terminals.save(aTerminal({ keyHash: "00ff" }), undefined);
    expect(await terminals.findKey(terminalId)).toMatchObject({ terminalId, partnerId, keyHash: "00ff" });
    expect((await terminals.findClaim(terminalId)).holder).toBeUndefined();
    const { key, holder, commit } = aCommit();
    await payments.commit(key, { ...commit, claim: { etag: undefined } });
    expect(await terminals.findClaim(terminalId)).toMatchObject({ holder });
  });

  it("let one payment take the terminal, as its claim was read, and free it only with its own change", async () => {
    const rows = await newTable();
    const [terminals, payments] = [terminalsTable(rows), paymentsTable(rows)];
    const free = await terminals.findClaim(terminalId);
    const { key, holder, commit } = aCommit();
    const rival = aCommit();
    await payments.commit(key, { ...commit, claim: free });
    await expect(payments.commit(rival.key, { ...rival.commit, claim: free })).rejects.toThrow(Conflict);
    expect(await payments.find(rival.key)).toBeUndefined();
    expect(await terminals.findClaim(terminalId)).toMatchObject({ holder });

    const read = await payments.find(key);
    if (!read) throw new Error("the payment is gone");
    const end = { ...commit, entry: { ...commit.entry, sequence: 2 }, claim: "freed" } as const;
    await expect(payments.commit(key, { ...end, read: { ...read, etag: 'W/"older"' } })).rejects.toThrow(Conflict);
    expect(await terminals.findClaim(terminalId)).toMatchObject({ holder });
    await payments.commit(key, { ...end, read });
    const freed = await terminals.findClaim(terminalId);
    expect(freed.holder).toBeUndefined();
    await expect(payments.commit(rival.key, { ...rival.commit, claim: free })).rejects.toThrow(Conflict);
    await payments.commit(rival.key, { ...rival.commit, claim: freed });
    expect(await terminals.findClaim(terminalId)).toMatchObject({ holder: rival.holder });
  });

  it("are retired in one step, which fails if a payment took the terminal, and makes a slow request fail", async () => {
    const rows = await newTable();
    const [terminals, payments] = [terminalsTable(rows), paymentsTable(rows)];
    await terminals.save(aTerminal(), undefined);
    const read = await terminals.find(terminalId);
    if (!read) throw new Error("the terminal is gone");
    const { key, commit } = aCommit();
    await payments.commit(key, { ...commit, claim: read.claim });
    await expect(terminals.retire(aTerminal({ retiredAt: now }), read)).rejects.toThrow(Conflict);

    const taken = await payments.find(key);
    await payments.commit(key, { ...commit, entry: { ...commit.entry, sequence: 2 }, read: taken, claim: "freed" });
    const again = await terminals.find(terminalId);
    if (!again) throw new Error("the terminal is gone");
    await terminals.retire(aTerminal({ retiredAt: now }), again);
    expect(await terminals.find(terminalId)).toBeUndefined();
    expect(await terminals.findRetired(terminalId)).toEqual(aTerminal({ retiredAt: now }));
    const slow = aCommit();
    await expect(payments.commit(slow.key, { ...slow.commit, claim: again.claim })).rejects.toThrow(Conflict);
  });

  it("return messages in the order of sessions and sequences, whatever order they came in", async () => {
    const inboxes = inboxesTable(await newTable());
    await inboxes.file(terminalId, message(2));
    await inboxes.file(terminalId, message(10));
    await inboxes.file(terminalId, message(1));
    await inboxes.file(terminalId, message(1, "s0", "2026-11-21T09:00:00.000Z"));
    const open = await inboxes.unanswered(terminalId);
    expect(open.map((row) => `${row.slot.sessionId} ${row.slot.sequence}`)).toEqual(["s0 1", "s1 1", "s1 2", "s1 10"]);
  });

  it("hold the messages of a commit, each until it is released, which succeeds once", async () => {
    const { inboxes, sent } = await withMessages(await newTable(), [1, 10]);
    const [first, second] = sent.map(({ slot }) => ({ slot }));
    if (!first || !second) throw new Error("no messages");
    const held = async () => (await inboxes.unanswered(terminalId)).map(({ isHeld }) => isHeld);
    expect(await inboxes.release(terminalId, message(1, "another session").slot)).toBe(false);
    expect(await held()).toEqual([true, true]);
    expect(await inboxes.release(terminalId, first.slot)).toBe(true);
    expect(await held()).toEqual([false, true]);
    expect(await inboxes.release(terminalId, first.slot)).toBe(false);
    expect(await inboxes.release(terminalId, second.slot)).toBe(true);
    expect(await inboxes.unanswered(terminalId)).toMatchObject([
      { ...first, isHeld: false, state: "waiting" },
      { ...second, isHeld: false, state: "waiting" },
    ]);
  });

  it("hold no message of a commit that failed", async () => {
    const rows = await newTable();
    const { inboxes, payments, key, commit } = await withMessages(rows, [1]);
    const older = { payment: commit.payment, etag: 'W/"older"' };
    const more = { ...commit, read: older, entry: { ...commit.entry, sequence: 2 }, messages: [message(2)] };
    await expect(payments.commit(key, more)).rejects.toThrow(Conflict);
    expect(await inboxes.unanswered(terminalId)).toHaveLength(1);
    expect(await inboxes.release(terminalId, message(2).slot)).toBe(false);
  });

  it("give a message to one of two polls, and keep what the first one wrote", async () => {
    const { inboxes, read } = await withMessages(await newTable(), [1]);
    const [row] = await read();
    if (!row) throw new Error("no message");
    await inboxes.lease(terminalId, row, "2026-11-21T10:00:10.000Z");
    await expect(inboxes.lease(terminalId, row, "2026-11-21T10:00:20.000Z")).rejects.toThrow(Conflict);
    expect(await read()).toMatchObject([
      { ...message(1), state: "fetched", leasedUntil: "2026-11-21T10:00:10.000Z", isHeld: true },
    ]);
  });

  it("give a message to a fetch, or remove it with a change as it was read, but not both", async () => {
    const { inboxes, read, change } = await withMessages(await newTable(), [1, 2]);
    const [first, second] = await read();
    if (!first || !second) throw new Error("no messages");
    await inboxes.lease(terminalId, first, "2026-11-21T10:00:10.000Z");
    await expect(change({ removed: [first] })).rejects.toThrow(Conflict);
    await change({ removed: [second] });
    await expect(inboxes.lease(terminalId, second, "2026-11-21T10:00:10.000Z")).rejects.toThrow(Conflict);
    expect(await read()).toMatchObject([{ slot: first.slot, state: "fetched" }]);
  });

  it("remove a message unread with a change, in any state, and fail the change if it is gone", async () => {
    const { inboxes, read, change } = await withMessages(await newTable(), [1, 2]);
    const [, second] = await read();
    if (second) await inboxes.lease(terminalId, second, "2026-11-21T10:00:10.000Z");
    await change({ discarded: message(1).slot });
    await change({ discarded: message(2).slot });
    expect(await read()).toEqual([]);
    await expect(change({ discarded: message(1).slot })).rejects.toThrow(Conflict);
  });

  it("leave the hold of a removed message to its worker, and never show it as a message", async () => {
    const { inboxes, read, change } = await withMessages(await newTable(), [1]);
    await change({ removed: await read() });
    expect(await read()).toEqual([]);
    expect(await inboxes.release(terminalId, message(1).slot)).toBe(true);
    expect(await inboxes.release(terminalId, message(1).slot)).toBe(false);
    expect(await read()).toEqual([]);
  });

  it("remove any number of answered messages, and none of a hundred if one of them has changed", async () => {
    const inboxes = inboxesTable(await newTable());
    for (let sequence = 1; sequence <= 101; sequence++) await inboxes.file(terminalId, message(sequence));
    const all = await inboxes.unanswered(terminalId);
    const [first] = all;
    if (!first) throw new Error("no message");
    await inboxes.lease(terminalId, first, "2026-11-21T10:00:10.000Z");
    await expect(inboxes.remove(terminalId, all)).rejects.toThrow(Conflict);
    expect(await inboxes.unanswered(terminalId)).toHaveLength(101);
    await inboxes.remove(terminalId, await inboxes.unanswered(terminalId));
    expect(await inboxes.unanswered(terminalId)).toEqual([]);
    await inboxes.remove(terminalId, []);
  });

  it("file a message once, also after it was answered", async () => {
    const inboxes = inboxesTable(await newTable());
    await inboxes.file(terminalId, message(1));
    await expect(inboxes.file(terminalId, message(1))).rejects.toThrow(Conflict);
    const open = await inboxes.unanswered(terminalId);
    expect(open).toMatchObject([{ ...message(1), state: "waiting", isHeld: false }]);
    await inboxes.remove(terminalId, open);
    await expect(inboxes.file(terminalId, message(1))).rejects.toThrow(Conflict);
    expect(await inboxes.unanswered(terminalId)).toEqual([]);
  });
});

onBothStores("orders", (newTable) => {
  it("store the holders of an order under any reference, and change them only as they were read", async () => {
    const orders = ordersTable(await newTable());
    const key = { merchantId: "m1", orderId: "tisch/7 #ü?\\", currency: "SEK", amount: 100 };
    const holder = {
      partnerId,
      terminalId,
      sessionId: "s1",
      commandId: "c1",
      strict: false,
      hold: "living",
      since: now,
    } as const;
    expect(await orders.find(key)).toBeUndefined();
    await orders.save(key, [holder], undefined);
    await expect(orders.save(key, [holder], undefined)).rejects.toThrow(Conflict);
    const read = await orders.find(key);
    expect(read?.holders).toEqual([holder]);
    await orders.save(key, [holder, { ...holder, sessionId: "s2" }], read);
    await expect(orders.save(key, [], read)).rejects.toThrow(Conflict);
    await orders.save(key, [], await orders.find(key));
    expect(await orders.find(key)).toMatchObject({ holders: [] });
    await expect(orders.save(key, [holder], undefined)).rejects.toThrow(Conflict);
  });

  it("keep separate lists for another amount, and for another currency", async () => {
    const orders = ordersTable(await newTable());
    const key = { merchantId: "m1", orderId: "table 7", currency: "SEK", amount: 100 };
    await orders.save(
      key,
      [{ partnerId, terminalId, sessionId: "s1", commandId: "c1", strict: false, hold: "living", since: now }],
      undefined,
    );
    expect(await orders.find({ ...key, amount: 101 })).toBeUndefined();
    expect(await orders.find({ ...key, currency: "EUR" })).toBeUndefined();
  });
});

onBothStores("partners", (newTable) => {
  it("store a partner, and a hash of each of its keys", async () => {
    const partners = partnersTable(await newTable());
    const partner = aPartner({
      partnerId,
      webhookSecrets: [{ secretId: "s1", sealedBy: "k1", sealed: "x", createdAt: now }],
    });
    const key = anApiKey({ keyId: "k1", partnerId, hash: "00ff" });
    await partners.save(partner, undefined);
    await partners.saveKey(key, undefined);
    expect(await partners.find(partnerId)).toEqual(partner);
    expect(await partners.findKey("k1")).toEqual(key);
    expect(await partners.findKey("k2")).toBeUndefined();
    expect([await partners.list(), await partners.keyIds(partnerId)]).toEqual([[partnerId], ["k1"]]);
  });

  it("change a partner and a key only as they were read", async () => {
    const partners = partnersTable(await newTable());
    await partners.save(aPartner({ partnerId }), undefined);
    await partners.saveKey(anApiKey({ keyId: "k1", partnerId }), undefined);
    const [read, readKey] = [await partners.read(partnerId), await partners.readKey("k1")];
    await partners.save(aPartner({ partnerId, name: "Renamed" }), read?.etag);
    await partners.saveKey(anApiKey({ keyId: "k1", partnerId, revokedAt: now }), readKey?.etag);
    for (const etag of [read?.etag, undefined])
      await expect(partners.save(aPartner({ partnerId }), etag)).rejects.toThrow(Conflict);
    for (const etag of [readKey?.etag, undefined])
      await expect(partners.saveKey(anApiKey({ keyId: "k1", partnerId }), etag)).rejects.toThrow(Conflict);
    expect(await partners.find(partnerId)).toMatchObject({ name: "Renamed" });
    expect(await partners.findKey("k1")).toMatchObject({ revokedAt: now });
  });

  it("name a partner's terminals, apart from the retired ones unless all are wanted", async () => {
    const partners = partnersTable(await newTable());
    await partners.addTerminal(partnerId, "t1");
    await partners.addTerminal(partnerId, "t2");
    await partners.retireTerminal(partnerId, "t1", now);
    await partners.retireTerminal(partnerId, "t1", now);
    expect(await partners.terminalIds(partnerId)).toEqual(["t2"]);
    expect(await partners.allTerminalIds(partnerId)).toEqual(["t1", "t2"]);
  });
});
