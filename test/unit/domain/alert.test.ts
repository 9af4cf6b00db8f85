import { describe, expect, it } from "vitest";
import { closeAlert, raiseAlert, reopenAlert, storableAlert, type Alert } from "../../../shared/domain/alert.ts";
import { advance, record } from "../../../shared/domain/payment/life/advance.ts";
import { after } from "../../../shared/domain/time.ts";
import { aPaymentIn, now, timings } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";

const subject = { kind: "payment", partnerId: "p", terminalId: "t", sessionId: "s" } as const;
const identity = { subject, kind: "contradictingReport", about: "r1" } as const;
const closing = { by: "ada", why: "the books agree", at: after(now, 3600) };

/** A change with this sequence, made this many seconds after the payment. */
const change = (sequence: number) => ({ by: { sequence }, at: after(now, sequence), detail: `change ${sequence}` });

/** The alert after these changes. A change that was already counted leaves it unchanged. */
const raisedBy = (sequences: readonly number[], from?: Alert): Alert => {
  let alert = from;
  for (const sequence of sequences) alert = raiseAlert(identity, alert, change(sequence)) ?? alert;
  if (!alert) throw new Error("nothing raised it");
  return alert;
};

describe("an alert", () => {
  it("counts each change once, in any order and however often it comes", () => {
    const changes = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 100 });
    const deliveries = changes.chain((once) =>
      fc.tuple(fc.constant(once), fc.shuffledSubarray([...once, ...once], { minLength: once.length * 2 })),
    );
    fc.assert(
      fc.property(deliveries, ([once, order]) => {
        const [first, last] = [Math.min(...once), Math.max(...once)];
        expect(raisedBy(order)).toMatchObject({
          status: "open",
          count: once.length,
          firstAt: change(first).at,
          lastAt: change(last).at,
          detail: `change ${last}`,
          raisedBy: once.toSorted((a, b) => a - b),
        });
      }),
    );
  });

  it("has a bounded size: of a hundred changes only some are listed, but all are counted", () => {
    const all = Array.from({ length: 250 }, (_, i) => i + 1);
    const alert = raisedBy(all);
    expect(alert).toMatchObject({ count: 250, countedUpTo: 150 });
    expect(alert.raisedBy).toEqual(all.slice(-100));
    expect(raiseAlert(identity, alert, change(150))).toBeUndefined();
    expect(raiseAlert(identity, alert, change(151))).toBeUndefined();
  });

  it("keeps its detail if a later or earlier cause has none", () => {
    const { detail: _, ...bare } = change(7);
    expect(raiseAlert(identity, raisedBy([5]), bare)).toMatchObject({ count: 2, detail: "change 5" });
    expect(raiseAlert(identity, raiseAlert(identity, undefined, bare), change(5))?.detail).toBe("change 5");
  });

  it("that is closed stays closed for a counted cause, and opens again for a new one", () => {
    const closed = closeAlert(raisedBy([3, 7]), closing);
    if (!closed) throw new Error("not closed");
    expect(closed).toMatchObject({ status: "closed", count: 2, closings: [closing] });
    expect(closeAlert(closed, closing)).toBeUndefined();
    expect(raiseAlert(identity, closed, change(7))).toBeUndefined();
    for (const sequence of [5, 9])
      expect(raisedBy([sequence], closed)).toMatchObject({
        status: "open",
        count: 3,
        firstAt: change(3).at,
        closings: [closing],
      });
  });

  it("counts a cause that is not a change of a payment once, by its own identifier", () => {
    const cause = (name: string, seconds: number) => ({
      by: { cause: name },
      at: after(now, seconds),
      detail: `cause ${name}`,
    });
    let alert = raisedBy([3]);
    for (const [name, seconds] of [
      ["a", 10],
      ["b", 20],
      ["a", 30],
    ] as const)
      alert = raiseAlert(identity, alert, cause(name, seconds)) ?? alert;
    expect(alert).toMatchObject({ count: 3, raisedBy: [3], causes: ["a", "b"], detail: "cause b" });
    expect(alert.lastAt).toBe(after(now, 20));
    const closed = closeAlert(alert, closing);
    expect(raiseAlert(identity, closed, cause("a", 40))).toBeUndefined();
    expect(raiseAlert(identity, closed, cause("c", 50))).toMatchObject({ status: "open", count: 4 });
    for (let i = 0; i < 200; i++) alert = raiseAlert(identity, alert, cause(`${i}`, 60)) ?? alert;
    expect(alert.count).toBe(203);
    expect(alert.causes).toHaveLength(100);
  });

  it("keeps the latest twenty closings", () => {
    let alert = raisedBy([1]);
    for (let sequence = 2; sequence <= 30; sequence++)
      alert = raisedBy([sequence], closeAlert(alert, { ...closing, why: `closing ${sequence}` }));
    expect(alert.closings.map(({ why }) => why)).toEqual(Array.from({ length: 20 }, (_, i) => `closing ${i + 11}`));
  });

  it("that an operator opens again counts nothing new, and keeps who closed and who opened it", () => {
    const open = raisedBy([3]);
    expect(reopenAlert(open, closing)).toBeUndefined();
    const closed = closeAlert(open, closing);
    const reopening = { by: "eve", why: "closed in error", at: after(now, 7200) };
    expect(closed && reopenAlert(closed, reopening)).toEqual({ ...open, closings: [closing], reopenings: [reopening] });
  });

  it("has its subject in lower case, and a terminal's text of bounded length", () => {
    const stored = storableAlert({ alert: "contradictingReport", about: "ABC-1", detail: "😀".repeat(300) });
    expect(stored).toEqual({ alert: "contradictingReport", about: "abc-1", detail: "😀".repeat(128) });
  });
});

describe("a change with alerts", () => {
  const alerts = [{ alert: "amountDiffers" }, { alert: "chargeChanged", about: "C1" }] as const;
  const step = { by: "terminal", now, commandId: "c2", timings, alerts } as const;

  it.each([
    ["that moves the payment", advance(aPaymentIn("authorized"), { ...step, event: "capture" })],
    ["that is only recorded", record(aPaymentIn("authorized"), { ...step, event: "voided" })],
  ])("(%s) names them in the history, and has an effect for each", (_, change) => {
    expect(change?.entry.alerts).toEqual([{ kind: "amountDiffers" }, { kind: "chargeChanged", about: "c1" }]);
    expect(change?.effects.filter(({ kind }) => kind === "alert")).toEqual([
      { kind: "alert", alert: "amountDiffers", about: undefined, detail: undefined },
      { kind: "alert", alert: "chargeChanged", about: "c1", detail: undefined },
    ]);
  });

  it("names none in the history when it raises none", () => {
    expect(record(aPaymentIn("authorized"), { ...step, alerts: [], event: "voided" }).entry.alerts).toBeUndefined();
  });
});
