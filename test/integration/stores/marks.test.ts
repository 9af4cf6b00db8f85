import { expect, it } from "vitest";
import type { StoredEffect } from "../../../shared/domain/effects.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { paymentKeyOf, paymentSubjectOf, type Subject } from "../../../shared/ports/subjects.ts";
import { terminalPartition } from "../../../shared/stores/keys.ts";
import { eachTable, tablePorts } from "../../../shared/stores/stores.ts";
import { changedPrefix, OPEN_PREFIX } from "../../../shared/stores/subject-rows.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { partnerId, terminalId } from "../../support/platform.ts";
import { onBothStores } from "../tables/stores.ts";

const [day, nextDay] = ["2026-11-21", "2026-11-22"];
const at = `${day}T10:00:00.000Z`;
const place = { kind: "terminal", partnerId, terminalId } as const;
const alert = { kind: "alert", alert: "contradictingReport", at, sequence: 1 } as StoredEffect;
const look: StoredEffect = { kind: "look", at };

/** A payment on these rows whose every commit has one more history entry. */
function aPaymentOf(rows: Rows, pending = aPaymentIn("pending")) {
  const ports = tablePorts(eachTable(() => rows));
  const key = paymentKeyOf(pending);
  const subject = paymentSubjectOf(key);
  let sequence = 0;
  return {
    ...ports,
    key,
    subject,
    async change(more: Partial<Payment> = {}, effects?: readonly StoredEffect[]) {
      const read = await ports.payments.find(key);
      const entry = { sequence: ++sequence, at, by: "partner", event: "request", to: "pending" } as const;
      const command = effects && { commandId: `c${sequence}`, effects: [...effects] };
      await ports.payments.commit(key, { payment: { ...pending, ...more }, read, entry, command });
    },
    async markDone(commandId: string, effect: string) {
      const command = await ports.commands.find(subject, commandId);
      if (!command) throw new Error("no command");
      await ports.commands.markDone(subject, command, effect);
    },
    open: () => ports.marks.open(place),
    changedOn: (on: string) => ports.marks.changedOn(place, "payment", on),
    /** Loses the marks of what is open. */
    async forget() {
      const partition = terminalPartition(terminalId);
      for (const { rowKey, etag } of await rows.withPrefix(partition, OPEN_PREFIX))
        await rows.remove(partition, rowKey, etag);
    },
  };
}

onBothStores("marks", (newTable) => {
  it("show a payment once as open until it ends, again from a refund on, and under each day of a change", async () => {
    const { subject, change, open, changedOn } = aPaymentOf(await newTable());
    await change({}, [look]);
    expect(await open()).toEqual([subject]);
    await change({ status: "inProgress" });
    expect(await open()).toEqual([subject]);
    await change({ status: "declined" });
    expect(await open()).toEqual([]);
    expect([await changedOn(day), await changedOn(nextDay)]).toEqual([[subject], []]);
    await change({ status: "authorized", updatedAt: `${nextDay}T00:00:00.000Z` });
    expect(await open()).toEqual([subject]);
    expect([await changedOn(day), await changedOn(nextDay)]).toEqual([[subject], [subject]]);
  });

  it("show an ended payment as open until the last effect of each of its commands is carried out", async () => {
    const { subject, change, open, markDone } = aPaymentOf(await newTable());
    await change({}, [look, alert]);
    await change({ status: "declined" }, [alert, { kind: "orderUpdate" }]);
    expect(await open()).toEqual([subject]);
    await markDone("c2", "orderUpdate");
    await markDone("c1", "alert~contradictingReport");
    expect(await open()).toEqual([subject]);
    await markDone("c2", "alert~contradictingReport");
    expect(await open()).toEqual([]);
  });

  it("show a session without a payment under the day of its tombstone or of an aborted command, and not as open", async () => {
    const { payments, commands, key, subject, open, changedOn } = aPaymentOf(await newTable());
    await payments.leaveTombstone(key, at);
    expect(await changedOn(day)).toEqual([subject]);
    const other = { ...subject, sessionId: "another" };
    await commands.abortCommand(other, "c1", `${nextDay}T10:00:00.000Z`);
    expect(await changedOn(nextDay)).toEqual([other]);
    expect(await open()).toEqual([]);
  });

  it("stop neither an end nor an effect if they are missing, and do not hide that the payment changed", async () => {
    const { payments, key, change, markDone, open, forget } = aPaymentOf(await newTable());
    await change({}, [alert]);
    const read = await payments.find(key);
    await forget();
    await change({ status: "declined" });
    await markDone("c1", "alert~contradictingReport");
    expect(await payments.find(key)).toMatchObject({ payment: { status: "declined" } });
    expect(await open()).toEqual([]);
    const entry = { sequence: 9, at, by: "partner", event: "request", to: "pending" } as const;
    await expect(payments.commit(key, { payment: aPaymentIn("failed"), read, entry })).rejects.toThrow(Conflict);
  });

  it("are read page by page before a day, the oldest day first, and only of one kind", async () => {
    const rows = await newTable();
    const { commands, marks } = aPaymentOf(rows);
    const days = ["2026-11-19", "2026-11-20", "2026-11-20", day];
    for (const [i, on] of days.entries()) {
      const session = { kind: "payment", partnerId, terminalId, sessionId: `s${9 - i}` } as const;
      await commands.abortCommand(session, "c", `${on}T23:59:59.999Z`);
    }
    const ofDay = { kind: "terminalDay", partnerId, terminalId, day: "2026-11-19" } as const;
    await commands.abortCommand(ofDay, "c", "2026-11-19T10:00:00.000Z");
    const page = { day, atMost: 2 };
    const first = await marks.changedBefore<Subject["kind"]>(place, "payment", { ...page, after: undefined });
    expect(first).toMatchObject([{ subject: { sessionId: "s9" } }, { subject: { sessionId: "s7" } }]);
    const second = await marks.changedBefore(place, "payment", { ...page, after: first.at(-1) });
    expect(second).toMatchObject([{ subject: { sessionId: "s8" } }]);
  });

  it("leave, or move to another day, unless they were written again", async () => {
    const rows = await newTable();
    const { commands, marks, subject, changedOn } = aPaymentOf(rows);
    const before = { day: "2026-12-01", after: undefined, atMost: 10 };
    const read = async () => {
      const [mark] = await marks.changedBefore<Subject["kind"]>(place, "payment", before);
      if (!mark) throw new Error("no mark");
      return mark;
    };
    await commands.abortCommand(subject, "c1", at);
    const old = await read();
    await commands.abortCommand(subject, "c2", at);
    await expect(marks.leave(old)).rejects.toThrow(Conflict);
    await expect(marks.leave(old, nextDay)).rejects.toThrow(Conflict);
    expect([await changedOn(day), await changedOn(nextDay)]).toEqual([[subject], []]);
    await marks.leave(await read(), nextDay);
    expect([await changedOn(day), await changedOn(nextDay)]).toEqual([[], [subject]]);
    await marks.leave(await read());
    expect(await rows.withPrefix(terminalPartition(terminalId), changedPrefix("payment"))).toEqual([]);
  });
});
