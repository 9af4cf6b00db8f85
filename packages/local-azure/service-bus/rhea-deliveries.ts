// Changes how rhea handles deliveries and their outcomes, if the broker must act differently. See rhea-quirks.ts.
import { createRequire } from "node:module";
import rhea, { type Delivery, type Session } from "rhea";
import { entriesOf, itemsOf, textOf, type AmqpValue } from "./amqp-values.ts";
import type { AmqpError } from "./errors.ts";
import type { Outcome } from "./message.ts";

interface DeliveryInternals {
  readonly link: { dispatch(event: string, context: unknown): void; _context(fields: object): unknown };
  settled: boolean;
  remote_settled: boolean;
  remote_state?: { readonly value?: readonly AmqpValue[]; readonly constructor: { readonly composite_type?: string } };
}
/** A ring. Its deliveries have consecutive ids, starting at the head. */
interface Deliveries {
  readonly size: number;
  by_id(id: number): DeliveryInternals | undefined;
  get_head(): { readonly id: number } | undefined;
}
interface Disposition {
  readonly first: number;
  readonly last: number | null | undefined;
  readonly settled: boolean | null | undefined;
  readonly state: unknown;
}
interface Direction {
  readonly deliveries: Deliveries;
  on_disposition(disposition: Disposition): void;
}
interface SessionInternals {
  readonly outgoing: Direction;
  readonly incoming: Direction;
  readonly connection: { _register(): void };
  output(frame: unknown): void;
}
interface Frames {
  disposition(fields: Omit<Disposition, "last"> & { readonly role: boolean; readonly last: number }): unknown;
}
/** The type declarations leave these out. */
interface OutcomeCodec {
  accepted(): { described(): unknown };
  rejected(fields: { readonly error: AmqpError }): { described(): unknown };
  unwrap_outcome(state: unknown): NonNullable<DeliveryInternals["remote_state"]>;
}

// rhea's entry point does not export the function that writes a frame.
const frames = createRequire(import.meta.url)("rhea/lib/frames.js") as Frames;
const codec = rhea.message as unknown as OutcomeCodec;

const insideSession = (session: Session): SessionInternals => session as unknown as SessionInternals;
const insideDelivery = (delivery: Delivery): DeliveryInternals => delivery as unknown as DeliveryInternals;

/**
 * Reports the outcomes of a disposition when it is read. rhea reports them in the next turn. By then, a link or session that was closed in
 * the same read is gone with its deliveries. rhea also counts from the first to the last id of a disposition, even if deliveries are
 * missing.
 */
export function settleInOrder(session: Session): void {
  for (const direction of [insideSession(session).outgoing, insideSession(session).incoming]) {
    direction.on_disposition = (disposition) => {
      for (const delivery of namedIn(disposition, direction.deliveries)) apply(disposition, delivery);
    };
  }
}

function namedIn({ first, last }: Disposition, deliveries: Deliveries): DeliveryInternals[] {
  const head = deliveries.get_head()?.id ?? 0;
  const end = Math.min(last || first, head + deliveries.size - 1);
  const named: DeliveryInternals[] = [];
  for (let id = Math.max(first, head); id <= end; id++) {
    const delivery = deliveries.by_id(id);
    if (delivery && !delivery.remote_settled) named.push(delivery);
  }
  return named;
}

function apply({ settled, state }: Disposition, delivery: DeliveryInternals): void {
  const { link } = delivery;
  if (settled) delivery.remote_settled = true;
  if (state) delivery.remote_state = codec.unwrap_outcome(state);
  const event = state ? delivery.remote_state?.constructor.composite_type : undefined;
  if (event !== undefined) link.dispatch(event, link._context({ delivery }));
  if (settled) link.dispatch("settled", link._context({ delivery }));
}

/** The events by which rhea reports a receiver's decision. */
export const outcomeEvents = ["accepted", "released", "modified", "rejected"] as const;

/** The decision in a receiver's disposition, with the types of the properties that it sets. */
export function outcomeOf(delivery: Delivery, event: (typeof outcomeEvents)[number]): Outcome {
  const [first, undeliverableHere, annotations] = insideDelivery(delivery).remote_state?.value ?? [];
  switch (event) {
    case "accepted":
      return { type: "complete" };
    case "released":
      return { type: "release" };
    case "modified":
      return { type: undeliverableHere?.value === true ? "defer" : "abandon", properties: entriesOf(annotations) };
    case "rejected":
      return rejection(first);
  }
}

function rejection(error: AmqpValue | undefined): Outcome {
  const info = entriesOf(itemsOf(error)[2]);
  const reason = textOf(info.get("DeadLetterReason"));
  const description = textOf(info.get("DeadLetterErrorDescription"));
  info.delete("DeadLetterReason");
  info.delete("DeadLetterErrorDescription");
  return { type: "deadLetter", reason, description, properties: info };
}

/**
 * Settles a delivery finally, in either direction. The outcome is "accepted", or "rejected" with an error. It is never an echo of the
 * client's own "rejected", which the client would treat as a failure.
 *
 * Every outcome is sent in its own frame. rhea would collect the outcomes of a turn in ranges. It puts a second outcome into the range of
 * the first without comparing them, so a rejection after an acceptance would be sent as accepted. The peer never settles again after this.
 * That must be recorded, or the window fills up. A session that has ended receives nothing.
 */
export function settleDelivery(delivery: Delivery, error?: AmqpError): void {
  const inside = insideDelivery(delivery);
  const state = (error ? codec.rejected({ error }) : codec.accepted()).described();
  if (!inside.remote_settled && delivery.link.session.is_open()) {
    const role = delivery.link.is_receiver();
    const answer = frames.disposition({ role, first: delivery.id, last: delivery.id, settled: true, state });
    insideSession(delivery.link.session).output(answer);
  }
  forgetDelivery(delivery);
  insideSession(delivery.link.session).connection._register(); // only then does rhea look for free positions in the window
}

/** Frees the delivery's position in the window without a frame, once it can no longer be settled. */
export function forgetDelivery(delivery: Delivery): void {
  const inside = insideDelivery(delivery);
  inside.settled = true;
  inside.remote_settled = true;
}
