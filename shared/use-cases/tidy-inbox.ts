import { holdsTerminal } from "../domain/payment.ts";
import type { Commands } from "../ports/commands.ts";
import type { Payments } from "../ports/payments.ts";
import type { Inboxes } from "../ports/terminals.ts";
import { placeOf } from "./place.ts";
import type { Work } from "./protocol/deliver.ts";

export interface TidyInbox {
  readonly payments: Payments;
  readonly commands: Commands;
  readonly inboxes: Inboxes;
}

/**
 * Takes rows out of the inbox that were only kept so that nothing is filed twice: a settled message once its effect is marked
 * done, and the tombstone of a payment that is over. From then on the command itself tells a repeated announcement.
 */
export async function tidyInbox(deps: TidyInbox, { announcement, command, effect }: Work): Promise<void> {
  const { subject } = announcement;
  const stored = await deps.payments.find(subject);
  if (!stored || stored === "fence") return;
  const { payment } = stored;
  const released = effect.kind === "release";
  const sequence = released ? 1 : command.sequence;
  const [row, request] = await Promise.all([
    deps.inboxes.find(payment.terminalId, placeOf(payment, sequence)),
    released ? deps.commands.find(subject, payment.requestCommandId) : command,
  ]);
  if (!row) return;
  const isFiled = !released || request?.done.includes("admission");
  const isIdle = row.state === "settled" || (row.state === "tombstone" && !holdsTerminal(payment.status));
  if (isFiled && isIdle) await deps.inboxes.forget(payment.terminalId, row);
}
