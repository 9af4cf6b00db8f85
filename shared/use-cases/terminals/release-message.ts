import type { Envelope } from "../../domain/effects.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { Directly } from "../outbox/committed-command.ts";
import type { Needs } from "../needs.ts";

/**
 * Releases the payment's message that an announcement names, and wakes the terminal's poll. A message and its hold are part of their
 * change, so the hold alone shows that the change was committed. Undefined if the announcement names no message of a payment.
 */
export function releaseAnnounced(
  { inboxes, bells }: Needs<"bells" | "inboxes">,
  { subject, sequence, createdAt }: Announcement,
): Directly | undefined {
  if (subject.kind !== "payment" || sequence === undefined || createdAt === undefined) return undefined;
  const { terminalId, sessionId } = subject;
  return async () => {
    const isReleased = await inboxes.release(terminalId, { createdAt, sessionId, sequence });
    if (isReleased) bells.ring(terminalId);
    return isReleased ? "done" : undefined;
  };
}

/** Releases the payment's message of a committed command. The bell rings in any case: an earlier run may have crashed before it rang. */
export async function releaseMessage(
  { inboxes, bells }: Needs<"bells" | "inboxes">,
  { terminalId, slot }: Envelope,
): Promise<"implied"> {
  await inboxes.release(terminalId, slot);
  bells.ring(terminalId);
  return "implied";
}
