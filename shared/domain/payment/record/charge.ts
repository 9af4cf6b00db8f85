import * as z from "zod";
import { minorUnits } from "../../minor-units.ts";
import type { RecordOf } from "../../record.ts";
import { day, instant } from "../../time.ts";
import { acquirerRecord, cardRecord, evidenceRecord } from "./card.ts";
import { correctionRecord } from "./correction.ts";
import { declineShape } from "./decline-code.ts";

export const chargeStates = [
  "authorized",
  "captured",
  "voided",
  "reversing",
  "reversed",
  "reversalFailed",
  "kept",
  "inDoubt",
] as const;
export type ChargeState = (typeof chargeStates)[number];

/** Why a payment's own charge is given back. */
const voidReasons = ["cancelledByPartner", "notCaptured"] as const;
export type VoidReason = (typeof voidReasons)[number];

/**
 * A charge that a terminal made to a card. At most one charge of a payment is wanted: `authorized` or `captured`, following the payment.
 * Every other charge is given back: `reversing`, then `reversed`, or `voided` if it was the payment's own. After the last try it is
 * `reversalFailed`. If an operator leaves it with the merchant, it is `kept`. A charge is `inDoubt` if the terminal contradicts what an
 * operator or an earlier report said about its money. An operator then decides.
 */
export const chargeRecord = z.object({
  /** Made by the terminal, one for each charge. */
  chargeId: z.string(),
  /** Minor units of the charge's own currency. */
  amount: minorUnits,
  currency: z.string(),
  /** The part of the amount that is tip. Absent if there is none. */
  tip: minorUnits.optional(),
  status: z.enum(chargeStates),
  /**
   * The captured amount of a charge that is being given back, in doubt, or `authorized` and captured without a request, in minor units.
   * Absent if nothing was captured.
   */
  captured: minorUnits.optional(),
  /**
   * The business day on which a charge in doubt, or one without a request, was captured. It is booked on that day once an operator or the
   * terminal has ended the doubt.
   */
  capturedOn: day.optional(),
  /** The payment's own charge is given back, and why. */
  voidReason: z.enum(voidReasons).optional(),
  /** The terminal reported a void that nobody requested. No money of the charge moves until an operator decides. */
  contradicted: z.boolean().optional(),
  /** An operator decided on the charge, and the terminal has not confirmed the decision. Its other reports only raise alerts. */
  decided: z.boolean().optional(),
  /** The number of failed tries to reverse it. */
  tries: z.int(),
  /** The latest try to reverse it, and the sequence of its message. A deadline ends the try. */
  reversal: z
    .object({
      sequence: z.int(),
      /** The time when the try began. */
      since: instant,
      /** The terminal reported that the try failed. */
      failed: z.boolean().optional(),
    })
    .optional(),
  correction: correctionRecord.optional(),
  /** The approval's details. Only these identify a charge. */
  card: cardRecord.optional(),
  acquirer: acquirerRecord.optional(),
  /** The details of its capture, if another report approved it, and of its return. */
  captureEvidence: evidenceRecord.optional(),
  reversalEvidence: evidenceRecord.optional(),
  /** Why the latest try to void it failed. */
  ...declineShape,
  /** The charge was first reported by its capture, whose reference may differ from its approval's. */
  fromCapture: z.boolean().optional(),
  createdAt: instant,
  updatedAt: instant,
});
export interface Charge extends RecordOf<typeof chargeRecord> {}

/** The charges of a payment. */
interface Charges {
  readonly charges: readonly Charge[];
}
/** The status of a payment. */
interface Status {
  readonly status: string;
}

export const withCharge = ({ charges }: Charges, charge: Charge): readonly Charge[] =>
  charges.map((c) => (c.chargeId === charge.chargeId ? charge : c));

/** The payment's wanted charge: approved in time, of an amount that was requested, and not given back. */
export const wantedCharge = <One extends Pick<Charge, "status">>({
  charges,
}: {
  readonly charges: readonly One[];
}): One | undefined => charges.find(({ status }) => status === "authorized" || status === "captured");

/**
 * Whether the charge is the payment's own and is given back. Its payment then tells of it, and no event of a reversal does. A payment that
 * has ended tells no more.
 */
export const isOwnVoid = ({ status }: Status, { voidReason }: Pick<Charge, "voidReason">): boolean =>
  status === "voidRequested" && voidReason !== undefined;

/** The payment's own charge, wanted or being given back. */
export const ownCharge = (payment: Charges & Status): Charge | undefined =>
  wantedCharge(payment) ?? payment.charges.find((charge) => isOwnVoid(payment, charge) && !isGivenBack(charge));

/** The charge of which the terminal reported a void that nobody requested. None of its money moves until an operator decides. */
export const contradictedCharge = <One extends Pick<Charge, "contradicted">>({
  charges,
}: {
  readonly charges: readonly One[];
}): One | undefined => charges.find(({ contradicted }) => contradicted);

/** The charge whose money contradicts an earlier record. New refunds wait until an operator has decided on it. */
export const chargeInDoubt = ({ charges }: Charges): Charge | undefined =>
  charges.find(({ status }) => status === "inDoubt");

/** Whether the terminal reported something about an authorized charge that only an operator or the partner's own capture can settle. */
export const isHeldBack = (charge: Pick<Charge, "status" | "contradicted" | "captured"> | undefined): boolean =>
  charge?.status === "authorized" && (charge.contradicted === true || charge.captured !== undefined);

export const isGivenBack = ({ status }: Pick<Charge, "status">): boolean =>
  status === "voided" || status === "reversed";

/** Whether a charge that is not wanted needs no further action. */
export const isClosed = (charge: Charge): boolean => isGivenBack(charge) || charge.status === "kept";
