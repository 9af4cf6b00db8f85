import type { Actor } from "../../domain/payment/record/events.ts";
import type { InboxSlot } from "../../domain/effects.ts";
import type { Instant } from "../../domain/time.ts";

/** The parts of a changed subject that its messages and events use. */
export interface Origin {
  /** The terminal of its messages. */
  readonly terminalId: string;
  readonly slot: InboxSlot;
  readonly sessionIdAsReceived: string | undefined;
  readonly updatedAt: Instant;
  /** The webhook address that the subject's own request names. */
  readonly webhookUrl: string | undefined;
  /** The actor that caused the change. */
  readonly causedBy: Actor;
  /** The subject as its events show it. */
  readonly data: () => unknown;
}
