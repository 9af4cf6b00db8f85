// All data of the live page. The server makes the views of this folder from the items that the local cloud's parts publish, and the page
// draws them. Both sides import this folder, which imports nothing else. Times are milliseconds since 1970, amounts are minor units.

import type { AlertView } from "./alerts.ts";
import type { CallView } from "./calls.ts";
import type { DayView } from "./days.ts";
import type { FaultView } from "./faults.ts";
import type { MailView } from "./mails.ts";
import type { PaymentView } from "./payments.ts";
import type { QueueView } from "./queues.ts";
import type { RegisteredView } from "./registered.ts";
import type { StackView } from "./stack.ts";
import type { TerminalView } from "./terminals.ts";
import type { ReceiverView, WebhookView } from "./webhooks.ts";

/** The data that the page gets when it opens. Lists are bounded, and newest first. */
export interface Snapshot {
  readonly stack: StackView;
  /** The demo's terminals, as a person in front of them sees them. */
  readonly terminals: readonly TerminalView[];
  /** The terminals as the platform knows them. */
  readonly registered: readonly RegisteredView[];
  readonly payments: readonly PaymentView[];
  readonly webhooks: readonly WebhookView[];
  readonly mails: readonly MailView[];
  readonly calls: readonly CallView[];
  /** The newest business day of each terminal, if the platform has one. */
  readonly days: readonly DayView[];
  readonly alerts: readonly AlertView[];
  readonly queues: readonly QueueView[];
  readonly faults: readonly FaultView[];
  readonly receiver: ReceiverView;
}

/**
 * The changes in one event of the stream. A long list (`payments`, `webhooks`, `mails`, `calls`) contains only its new and changed items,
 * identified by `id`. Every other member is complete.
 */
export type Change = Partial<Omit<Snapshot, "stack">>;

/** The most items of each long list, on the server and on the page. */
export const LONGEST = { payments: 2_000, webhooks: 500, mails: 200, calls: 500 } as const;
