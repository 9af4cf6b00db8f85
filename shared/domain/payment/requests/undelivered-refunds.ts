import type { TerminalMessage } from "../../terminal-message.ts";
import type { Instant } from "../../time.ts";
import { refundedAs } from "../record/kept-money.ts";
import type { Payment, Refund, RefundReason } from "../record/payment.ts";

// A refund that its terminal never got moved no money. If the record is full, the oldest of them leaves it. Hashes of its names stay, with
// the sequence of its message, so a name still means that refund forever.

/** The most refunds in a payment's record. */
const MAX_REFUNDS = 100;
/** The most names of refunds that have left a payment's record. */
export const MAX_NAMES_LEFT = 1_000;

const neverGot: ReadonlySet<RefundReason | undefined> = new Set<RefundReason>([
  "notDelivered",
  "cancelledByPartner",
  "exceedsRefundable",
  "alreadyRefunded",
  "chargeContradicted",
]);

/**
 * A name in 13 characters or fewer, because a record has a thousand of them: FNV-1a of 64 bits. Only the payment's own partner chooses names,
 * and two names of one hash would only refuse its request.
 */
function hashOf(name: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of name)
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}

/** The payment with room for another refund: if it is full, without the oldest that its terminal never got. Undefined if there is no room. */
export function withRoom(payment: Payment): Payment | undefined {
  const { refunds, undelivered, withdrawn } = payment;
  if (refunds.length < MAX_REFUNDS) return payment;
  const oldest = refunds.find(({ status, statusReason }) => status === "failed" && neverGot.has(statusReason));
  if (!oldest) return undefined;
  const names = [oldest.refundId, ...oldest.names].map((name) => [hashOf(name), oldest.sequence] as const);
  const left = { ...undelivered, ...Object.fromEntries(names) };
  if (Object.keys(left).length > MAX_NAMES_LEFT) return undefined;
  return {
    ...payment,
    refunds: refunds.filter((refund) => refund !== oldest),
    undelivered: left,
    withdrawn: oldest.statusReason === "cancelledByPartner" ? [...(withdrawn ?? []), oldest.sequence] : withdrawn,
  };
}

/** Why a payment without room takes no other refund. */
export const noRoom = `A payment has at most ${MAX_REFUNDS} refunds, and ${MAX_NAMES_LEFT} names of refunds that were not delivered.`;

/** The sequence of the message of the refund that had this name when it left the record. Undefined if none had it. */
export const sequenceOfName = ({ undelivered }: Pick<Payment, "undelivered">, name: string): number | undefined =>
  undelivered?.[hashOf(name)];

/** The sequence of a refund of one of these names that has left the record, and was not brought back. Undefined if there is none. */
export const sequenceOfLeft = (payment: Payment, names: readonly string[]): number | undefined =>
  names
    .flatMap((name) => sequenceOfName(payment, name) ?? [])
    .find((sequence) => payment.refunds.every((refund) => refund.sequence !== sequence));

/** The message of a refund, and the command that sent it. */
export interface SentRefund {
  readonly message: Extract<TerminalMessage, { type: "refund" }>;
  readonly commandId: string;
  readonly sequence: number;
  readonly at: Instant;
}

/** A refund that has left the record, as its message has it. Its names stay with the payment. */
export function leftRefund(payment: Payment, { message, at, ...command }: SentRefund): Refund {
  const { refundId: idAsReceived, chargeId, amount, reason } = message;
  return {
    ...command,
    refundId: idAsReceived.toLowerCase(),
    idAsReceived,
    names: [],
    amount,
    chargeId: chargeId && refundedAs(payment, { chargeId }),
    reason,
    status: "failed",
    statusReason: payment.withdrawn?.includes(command.sequence) ? "cancelledByPartner" : "notDelivered",
    createdAt: at,
    updatedAt: at,
  };
}

/** The payment with a refund that had left its record. It stays without the refund if there is no room. */
export function broughtBack(payment: Payment, refund: Refund | undefined): Payment {
  const room = refund && withRoom(payment);
  return room ? { ...room, refunds: [...room.refunds, refund] } : payment;
}
