import { fromMinorUnits, toMinorUnits } from "../../../shared/domain/money.ts";
import type { Movement } from "../simulated/session.ts";
import type { Filed } from "./inbox.ts";
import type { RuleNumber } from "./rules.ts";
import type { Payment } from "./payment.ts";
import type { ReceivedReport } from "./received-report.ts";

/** The information about the money of a scenario. */
export interface MoneySeen {
  /** The reports that the platform took. */
  readonly reports: readonly ReceivedReport[];
  readonly payments: readonly Payment[];
  readonly filed: readonly Filed[];
  readonly movements: readonly Movement[];
}

/** A broken rule, and what the kit saw. */
export interface Broken {
  readonly rule: RuleNumber;
  readonly sees: string;
}

/** The first money rule that is broken according to the reports or the acquirer's bookings. */
export function brokenMoney(seen: MoneySeen): Broken | undefined {
  return chargedTooOften(seen) ?? movedTwice(seen) ?? movedWithoutMessage(seen) ?? refundedTooMuch(seen);
}

const lower = (id: string | undefined): string => (id ?? "").toLowerCase();

function chargedTooOften({ reports, payments, movements }: MoneySeen): Broken | undefined {
  for (const { sessionID, charges, once } of payments) {
    const isHere = (one: { readonly sessionID?: string | undefined }) => lower(one.sessionID) === lower(sessionID);
    const approvals = reports.filter((one) => one.type === "authorized" && isHere(one));
    const booked = movements.filter((one) => one.moved === "charge" && isHere(one));
    const most = Math.max(new Set(approvals.map(({ chargeID }) => chargeID)).size, booked.length);
    if (most > charges) return { rule: once, sees: `The session was charged ${most} times instead of ${charges}.` };
  }
  return undefined;
}

const once = { capture: "T16", void: "T17", refund: "T18" } as const;

const ofThese = ({ payments, movements }: MoneySeen): readonly Movement[] => {
  const sessions = new Set(payments.map(({ sessionID }) => lower(sessionID)));
  return movements.filter(({ sessionID }) => sessions.has(lower(sessionID)));
};

/** The subject of a movement: its refund, otherwise its charge. */
const subjectOf = ({ refundID, chargeID }: Movement): string => lower(refundID ?? chargeID);

function movedTwice(seen: MoneySeen): Broken | undefined {
  const before = new Set<string>();
  for (const movement of ofThese(seen)) {
    const { moved } = movement;
    const name = `${moved} of ${subjectOf(movement)}`;
    if (moved !== "charge" && before.has(name))
      return { rule: once[moved], sees: `The acquirer has booked the ${name} twice.` };
    before.add(name);
  }
  return undefined;
}

function movedWithoutMessage(seen: MoneySeen): Broken | undefined {
  for (const movement of ofThese(seen)) {
    const { moved } = movement;
    const wanted = ({ message }: Filed) =>
      message.type === moved &&
      lower("refundId" in message ? message.refundId : message.chargeId) === subjectOf(movement);
    if (moved !== "charge" && !seen.filed.some(wanted) && !isAutomatic(movement, seen))
      return {
        rule: once[moved],
        sees: `The acquirer has booked a ${moved} of ${subjectOf(movement)}, which no message requested.`,
      };
  }
  return undefined;
}

/** An automatic payment captures each of its charges, even if the acquirer books no capture. */
function refundedTooMuch(seen: MoneySeen): Broken | undefined {
  const left = new Map<string, number>();
  for (const movement of ofThese(seen)) {
    const { moved, amount, currency } = movement;
    const charge = lower(movement.chargeID);
    const before = left.get(charge) ?? 0;
    const minor = toMinorUnits(amount, currency);
    const value = minor.ok ? minor.value : 0;
    if (moved === "refund" && value > before) {
      const refund = `a refund of ${amount} ${currency} of the charge ${charge}`;
      return {
        rule: "T24",
        sees: `The acquirer has booked ${refund}, of which ${fromMinorUnits(before, currency)} was left.`,
      };
    }
    const captures = isOfAutomatic(movement, seen) ? "charge" : "capture";
    if (moved === "void") left.set(charge, 0);
    else if (moved === "refund") left.set(charge, before - value);
    else if (moved === captures) left.set(charge, before + value);
  }
  return undefined;
}

/** Whether the movement captures the approved amount of an automatic payment's charge. */
function isAutomatic(movement: Movement, seen: MoneySeen): boolean {
  const { moved, chargeID, amount } = movement;
  const isApproval = (one: ReceivedReport) =>
    one.type === "authorized" && lower(one.chargeID) === lower(chargeID) && one.body["amount"] === amount;
  return moved === "capture" && isOfAutomatic(movement, seen) && seen.reports.some(isApproval);
}

const isOfAutomatic = ({ sessionID }: Movement, { payments }: MoneySeen): boolean =>
  payments.some(
    ({ sessionID: id, filed: { message } }) =>
      lower(id) === lower(sessionID) && message.type === "payment" && message.captureMode === "automatic",
  );
