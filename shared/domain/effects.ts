import * as z from "zod";
import { raisedAlertShape } from "./alert.ts";
import type { RecordOf } from "./record.ts";
import { terminalMessageRecord } from "./terminal-message.ts";
import { day, instant, uncheckedInstant, type Instant } from "./time.ts";

/** The position of a message in a terminal's inbox. A session's messages keep their order whatever the clocks say. */
const inboxSlotRecord = z.object({ createdAt: uncheckedInstant, sessionId: z.string(), sequence: z.int() });
export interface InboxSlot extends RecordOf<typeof inboxSlotRecord> {}

/** A message with everything that is needed to enqueue it. */
export const envelopeRecord = z.object({
  terminalId: z.string(),
  slot: inboxSlotRecord,
  /** The session as received from its partner. Undefined if the message belongs to no payment. */
  sessionIdAsReceived: z.string().optional(),
  message: terminalMessageRecord,
  /** The terminal must not begin after this moment. Undefined for a message that stays due (void, refund, …). */
  expiresAt: instant.optional(),
});
export interface Envelope extends RecordOf<typeof envelopeRecord> {}

/** A voucher, and the payment's discount for which it is offered. */
const offeredVoucherRecord = z.object({ tokenId: z.string(), discountId: z.string() });
export interface OfferedVoucher extends RecordOf<typeof offeredVoucherRecord> {}

/** The deadlines of action requests and terminals' days. Each is a scheduled message. A payment holds its own deadlines. */
const deadlineNames = ["action", "dayTotals", "dayComparison", "dayGrace"] as const;
const deadlineRecord = z.enum(deadlineNames);
export type Deadline = (typeof deadlineNames)[number];
/** Deadlines of a terminal's business day. */
export type DayDeadline = Exclude<Deadline, "action">;

/** A message as a decision makes it. Terminal, slot and the session as received are added when its change is committed. */
const messageShape = envelopeRecord.pick({ message: true, expiresAt: true }).shape;
/**
 * An event for the partner. `about` names the refund, charge or discount that it is about. Its body is frozen when its change is committed.
 */
const eventShape = { type: z.string(), about: z.string().optional() };
const event = {
  said: eventShape,
  stored: { ...eventShape, eventId: z.string() },
  name: ({ type, about }: RecordOf<z.ZodObject<typeof eventShape>>) =>
    about === undefined ? type : `${type}~${about}`,
};

type Shape = z.ZodRawShape;

/** Defines one kind of effect: its subjects, its content in a decision, and its content in a stored command. */
const effect = <const Of extends string, Said extends Shape, Stored extends Shape = Said>({
  stored,
  impliedBy = [],
  name = () => undefined,
  ...definition
}: {
  /** The kinds of subject that can have it. */
  readonly of: readonly Of[];
  /**
   * The subjects whose own state shows the outcome, so that no worker marks it done. A payment's message has a hold until
   * it is released. A payment that awaits nothing needs no look.
   */
  readonly impliedBy?: readonly NoInfer<Of>[];
  readonly said: Said;
  /** Left out if a command stores exactly what the decision said. */
  readonly stored?: Stored;
  /** Distinguishes two effects of this kind within one command. Left out if a command has at most one. */
  readonly name?: (said: RecordOf<z.ZodObject<Said>>) => string | undefined;
}) => ({
  ...definition,
  impliedBy: impliedBy as readonly string[],
  stored: stored ?? (definition.said as unknown as Stored),
  name,
});

/**
 * Everything that a committed command can cause elsewhere. A worker carries out each effect and marks it done, independently of the others.
 * A new kind needs its line here, its queue (`queueOf`) and its handler in the worker of that queue. The compiler names what is missing.
 */
const effectKinds = {
  /** Hand a message to the terminal: release the payment's message in its inbox, or file the message of another subject. */
  message: effect({
    of: ["payment", "actionRequest"],
    impliedBy: ["payment"],
    said: messageShape,
    stored: { envelope: envelopeRecord },
  }),
  /** Update how the payment holds its order: it releases the order, or holds it again. */
  orderUpdate: effect({ of: ["payment"], said: {} }),
  /** Act on the subject if it still awaits this deadline. */
  deadline: effect({
    of: ["actionRequest", "terminalDay"],
    said: { deadline: deadlineRecord, due: instant },
    name: ({ deadline }) => deadline,
  }),
  /** Look at the payment at this moment, and act on what is due. */
  look: effect({ of: ["payment"], impliedBy: ["payment"], said: { at: instant } }),
  /** Send the event to the partner's server, and enter it into the partner's feed. */
  webhook: effect({ of: ["payment", "actionRequest", "terminalDay", "partnerDay"], ...event }),
  /** Enter the event into the partner's feed. It is not sent, because the partner's own call made the change. */
  feedEntry: effect({ of: ["payment"], ...event }),
  /** Reserve the voucher and then offer its discount to the terminal, or refuse the discount. */
  voucherReservation: effect({
    of: ["payment"],
    said: offeredVoucherRecord.shape,
    name: ({ discountId }) => discountId,
  }),
  /** Redeem the voucher or release it, as the payment has decided. */
  voucherOutcome: effect({
    of: ["payment"],
    said: offeredVoucherRecord.shape,
    name: ({ discountId }) => discountId,
  }),
  /** Issue the access token that was requested. */
  issue: effect({ of: ["tokenRequest"], said: {} }),
  /** Mail the access token to its customer. */
  mail: effect({ of: ["tokenRequest"], said: {} }),
  /** Open these business days of the terminal, or compare its totals of them again: the change has booked on them. */
  dayUpdate: effect({ of: ["payment"], said: { days: z.array(day) } }),
  /** Alert an operator. */
  alert: effect({
    of: ["payment", "terminalDay"],
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

/** An effect with an event, which enters the partner's feed. */
export type StoredEvent = StoredEffect<"webhook" | "feedEntry">;

export const isEvent = <E extends { readonly kind: EffectKind }>(
  effect: E,
): effect is Extract<E, { readonly kind: StoredEvent["kind"] }> =>
  effect.kind === "webhook" || effect.kind === "feedEntry";

const kinds = Object.entries(effectKinds).map(([kind, { stored }]) => z.object({ kind: z.literal(kind), ...stored }));
export const storedEffectRecord = z.discriminatedUnion(
  "kind",
  kinds as [(typeof kinds)[number]],
) as unknown as z.ZodType<StoredEffect>;

/** Whether the subject's own state shows the outcome of an effect, so that no worker marks it done. */
export const isImpliedBySubject = ({ kind }: Pick<StoredEffect, "kind">, subject: { readonly kind: string }): boolean =>
  effectKinds[kind].impliedBy.includes(subject.kind);

/** Whether an effect of this name waits for a moment. */
export const isTimed = (id: string): boolean => id === "look" || id.startsWith("deadline~");

/** When an effect is due: a deadline, or a look. Undefined for an effect that is due at once. */
export function dueOf(effect: StoredEffect): Instant | undefined {
  if (effect.kind === "look") return effect.at;
  return effect.kind === "deadline" ? effect.due : undefined;
}

/** Names one effect within its command. A command never has the same effect twice. */
export function effectId(effect: Effect | StoredEffect): string {
  const name = effectKinds[effect.kind].name as (said: typeof effect) => string | undefined;
  return [effect.kind, name(effect)].filter((part) => part !== undefined).join("~");
}
