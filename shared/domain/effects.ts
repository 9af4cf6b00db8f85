import { z } from "zod";
import { raisedAlertShape } from "./alert.ts";
import { minorUnits } from "./money.ts";
import type { RecordOf } from "./record.ts";
import { terminalMessageRecord } from "./terminal-message.ts";
import { instant, uncheckedInstant } from "./time.ts";

/** The queues, by the work they carry; declared in `infra/service-bus/queues.json`. */
export type QueueName =
  | "terminal-messages"
  | "webhook-deliveries"
  | "webhook-retries"
  | "deadlines"
  | "access-tokens"
  | "mails"
  | "operator-alerts";

/** Where a message stands among a terminal's others: a session's messages keep their order whatever clocks say. */
const inboxSlotRecord = z.object({ createdAt: uncheckedInstant, sessionId: z.string(), sequence: z.int() });
export interface InboxSlot extends RecordOf<typeof inboxSlotRecord> {}

/** A message with all that filing it needs to know. */
export const envelopeRecord = z.object({
  terminalId: z.string(),
  slot: inboxSlotRecord,
  /** The session as its partner spells it; undefined where a message belongs to none. */
  sessionIdAsReceived: z.string().optional(),
  message: terminalMessageRecord,
  /** After this the terminal must not begin; undefined for what stays due (void, refund, …). */
  expiresAt: instant.optional(),
});
export interface Envelope extends RecordOf<typeof envelopeRecord> {}

/** A voucher, and the discount of the payment that it is to be. */
const offeredVoucherRecord = z.object({ tokenId: z.string(), discountId: z.string() });
export interface OfferedVoucher extends RecordOf<typeof offeredVoucherRecord> {}

/** What waits for silence to end; each is a scheduled message that belongs to the command that announced it. */
const deadlineNames = [
  "acceptance",
  "expiry",
  "answer",
  "capture",
  "outcome",
  "doubt",
  "reversal",
  "nextReversal",
  "action",
] as const;
const deadlineRecord = z.enum(deadlineNames);
export type Deadline = (typeof deadlineNames)[number];
/** Deadlines of a payment's states; reversals and an action request have their own. */
export type PaymentDeadline = Exclude<Deadline, "reversal" | "nextReversal" | "action">;

/** A message as a decision makes it. Terminal, place and spelling are stamped when its change is committed. */
const messageShape = envelopeRecord.pick({ message: true, expiresAt: true }).shape;
/** An event for the partner; `about` names the refund or discount that it is about. Its body is frozen when its change is committed. */
const eventShape = { type: z.string(), about: z.string().optional() };

/**
 * What the request of a payment read and found free: its admission needs not read it again, for it takes terminal and order only as they were
 * read. Left out where something stood in the way, and the worker has to look.
 */
const expectedRecord = z.object({
  /** ETag of the claim of a payment that had ended; undefined where the terminal had none. */
  claim: z.string().optional(),
  /** The order, where the payment names one. */
  order: z
    .object({
      merchantId: z.string(),
      orderId: z.string(),
      currency: z.string(),
      amount: minorUnits,
      /** Whether the merchant has each order paid at most once. */
      strict: z.boolean(),
      /** ETag of its empty list; undefined where it had none. */
      etag: z.string().optional(),
    })
    .optional(),
});
export interface Expected extends RecordOf<typeof expectedRecord> {}
const expectedShape = { expected: expectedRecord.optional() };

type Shape = z.ZodRawShape;

/** One kind of effect: who carries it out, of what, what a decision says of it, and what its command stores. */
const effect = <
  const Queue extends QueueName,
  const Of extends string,
  Said extends Shape,
  Stored extends Shape = Said,
  const Again extends QueueName = Queue,
>({
  stored,
  again,
  name = () => undefined,
  ...definition
}: {
  readonly queue: Queue;
  /** The queue of its later attempts, where first ones shall not wait for those. */
  readonly again?: Again;
  /** The kinds of subject that have it. */
  readonly of: readonly Of[];
  readonly said: Said;
  /** Left out where a command stores just what was said. */
  readonly stored?: Stored;
  /** Tells two effects of this kind within one command apart; left out where a command has one at most. */
  readonly name?: (said: RecordOf<z.ZodObject<Said>>) => string | undefined;
}) => ({
  ...definition,
  again: again ?? (definition.queue as unknown as Again),
  stored: stored ?? (definition.said as unknown as Stored),
  name,
});

/**
 * Everything that a committed command can make happen elsewhere. A worker carries each effect out by itself and marks it done by itself.
 * A new kind needs its line here and its handler in the worker of its queue; the compiler names whichever is missing.
 */
export const effectKinds = {
  /** Take the terminal (and the order) for this payment, and file its message; or end the payment as refused. */
  admission: effect({
    queue: "terminal-messages",
    of: ["payment"],
    said: { ...messageShape, ...expectedShape },
    stored: { envelope: envelopeRecord, ...expectedShape },
  }),
  /** File a message in the terminal's inbox. */
  message: effect({
    queue: "terminal-messages",
    of: ["payment", "actionRequest"],
    said: messageShape,
    stored: { envelope: envelopeRecord },
  }),
  /** Tell its order how the payment holds it now: it gives it back, or comes to hold it again. */
  orderUpdate: effect({ queue: "terminal-messages", of: ["payment"], said: {} }),
  /** Take the subject, which has ended by a change with no other effect, off the list of open ones. */
  unlisting: effect({ queue: "deadlines", of: ["payment"], said: {} }),
  /** See whether the subject is still where it was when the deadline was set. */
  deadline: effect({
    queue: "deadlines",
    of: ["payment", "actionRequest"],
    said: { deadline: deadlineRecord, due: instant },
    name: ({ deadline }) => deadline,
  }),
  /** Notify the partner's server. */
  webhook: effect({
    queue: "webhook-deliveries",
    again: "webhook-retries",
    of: ["payment", "actionRequest"],
    said: eventShape,
    stored: { ...eventShape, eventId: z.string() },
    name: ({ type, about }) => (about === undefined ? type : `${type}~${about}`),
  }),
  /** Reserve the voucher and then offer its discount to the terminal; or refuse the discount. */
  voucherReservation: effect({
    queue: "access-tokens",
    of: ["payment"],
    said: offeredVoucherRecord.shape,
    name: ({ discountId }) => discountId,
  }),
  /** The payment has decided over a voucher: redeem it, or give it back. */
  voucherOutcome: effect({
    queue: "access-tokens",
    of: ["payment"],
    said: offeredVoucherRecord.shape,
    name: ({ discountId }) => discountId,
  }),
  /** Issue the access token that was requested. */
  issue: effect({ queue: "access-tokens", of: ["tokenRequest"], said: {} }),
  /** Mail the access token to its customer. */
  mail: effect({ queue: "mails", of: ["tokenRequest"], said: {} }),
  /** Call an operator. */
  alert: effect({
    queue: "operator-alerts",
    of: ["payment"],
    said: raisedAlertShape,
    stored: { ...raisedAlertShape, at: instant },
    name: ({ alert, about }) => (about === undefined ? alert : `${alert}~${about}`),
  }),
};
export type EffectKind = keyof typeof effectKinds;
export type SubjectKindOf<Kind extends EffectKind> = (typeof effectKinds)[Kind]["of"][number];

type Named<Kind extends string, Members> = Members extends Shape
  ? RecordOf<z.ZodObject<{ kind: z.ZodLiteral<Kind> } & Members>>
  : never;
type KindsOf<Subject extends string> = {
  [K in EffectKind]: Subject extends SubjectKindOf<K> ? K : never;
}[EffectKind];

/** An effect as a decision on a subject makes it: `Effect<"payment">`. */
export type Effect<Subject extends string = SubjectKindOf<EffectKind>> = {
  [K in KindsOf<Subject>]: Named<K, (typeof effectKinds)[K]["said"]>;
}[KindsOf<Subject>];

/** An effect as its command stores it, with everything that its worker needs. */
export type StoredEffect<Kind extends EffectKind = EffectKind> = {
  [K in Kind]: Named<K, (typeof effectKinds)[K]["stored"]>;
}[Kind];

const kinds = Object.entries(effectKinds).map(([kind, { stored }]) => z.object({ kind: z.literal(kind), ...stored }));
export const storedEffectRecord = z.discriminatedUnion(
  "kind",
  kinds as [(typeof kinds)[number]],
) as unknown as z.ZodType<StoredEffect>;

/**
 * Whether what has become of an effect is told by its subject itself, so that nobody marks it done: a payment that waits no more needs no
 * admission, and a deadline that is not awaited no worker.
 */
export const isImpliedBySubject = ({ kind }: Pick<StoredEffect, "kind">, subject: { readonly kind: string }): boolean =>
  subject.kind === "payment" && (kind === "admission" || kind === "deadline");

const DEADLINE_PREFIX = "deadline~";

/** The deadline that an effect's name is of; undefined for another kind of effect. */
export const deadlineNamed = (id: string): Deadline | undefined =>
  id.startsWith(DEADLINE_PREFIX) ? deadlineRecord.safeParse(id.slice(DEADLINE_PREFIX.length)).data : undefined;

/** Names one effect within its command; a command never has the same one twice. */
export function effectId(effect: Effect | StoredEffect): string {
  const name = effectKinds[effect.kind].name as (said: typeof effect) => string | undefined;
  return [effect.kind, name(effect)].filter((part) => part !== undefined).join("~");
}
