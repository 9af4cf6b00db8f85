import type { InboxRow } from "../../../shared/stores/inboxes.ts";
import { comesFirst, type InboxEntry, type InboxMessage } from "../../../shared/domain/terminal-inbox.ts";
import { toTerminalMessage, type TerminalMessageObject } from "../../../shared/contracts/objects/terminal-message.ts";
import { toMajor } from "./prices.ts";
import type { World } from "../world/world.ts";

/** An inbox before and after a poll, and the poll's own clock before it. */
interface Around {
  readonly now: string;
  readonly before: readonly InboxMessage[];
  readonly after: readonly InboxMessage[];
}

/**
 * A message is delivered only after its release. A payment is delivered only before its expiry, and not after its cancel or status query.
 * Any other message is delivered after the earlier ones of its session. The poll has seen every message that was in the inbox both before
 * and after it.
 */
export function checkHandedOut(world: World, handedOut: InboxRow, { now, before, after }: Around): void {
  const { message, expiresAt, slot } = handedOut;
  const seen = before.filter(
    (entry) => entry.slot.sessionId === slot.sessionId && after.some((e) => e.messageId === entry.messageId),
  );
  if (message.type === "payment") {
    if (seen.some(callsOff)) world.violate("a payment was handed out after its cancel or status query", slot.sessionId);
    if (expiresAt !== undefined && now >= expiresAt)
      world.violate("a payment was handed out after its expiry", slot.sessionId);
  }
  if (after.some(({ messageId, isHeld }) => messageId === handedOut.messageId && isHeld))
    world.violate("a message was handed out before its worker released it", `${slot.sessionId} ${message.type}`);
  const shown = toTerminalMessage(handedOut, now);
  if ("currency" in message && amountOf(shown) !== toMajor(message.amount, message.currency))
    world.violate("a message shows a wrong amount", `${slot.sessionId} ${message.type} ${amountOf(shown)}`);
  const held = seen.find((entry) => comesFirst(entry) && !comesFirst(handedOut));
  if (held)
    world.violate("a message was handed out before the query that comes first", `${slot.sessionId} ${message.type}`);
  const overtaken = seen.find(
    (entry) =>
      !entry.isHeld &&
      entry.message.type !== "payment" &&
      entry.slot.sequence < slot.sequence &&
      (comesFirst(entry) || !comesFirst(handedOut)),
  );
  if (overtaken) world.violate("a message overtook an earlier one", `${message.type} ${overtaken.message.type}`);
}

const amountOf = (shown: TerminalMessageObject): number | undefined =>
  shown.type === "payment" ? shown.totalAmountInclVat : "amount" in shown ? shown.amount : undefined;

const callsOff = ({ message }: InboxEntry): boolean =>
  message.type === "cancel" || (message.type === "statusQuery" && message.refundId === undefined);
