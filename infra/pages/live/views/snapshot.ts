// What the live page shows, whole. The server makes the views of this folder from what the parts of the local cloud publish, and the page draws
// them: both sides import the folder, which imports nothing else. Times are milliseconds since 1970, amounts are minor units.

import type { AlertView } from "./alerts.ts";
import type { CallView } from "./calls.ts";
import type { DayView } from "./days.ts";
import type { FaultView } from "./faults.ts";
import type { MailView } from "./mails.ts";
import type { PaymentView } from "./payments.ts";
import type { QueueView } from "./queues.ts";
import type { StackView } from "./stack.ts";
import type { TerminalView } from "./terminals.ts";
import type { ReceiverView, WebhookView } from "./webhooks.ts";

/** All that the page has when it opens. Lists are the newest first, and bounded. */
export interface Snapshot {
  readonly stack: StackView;
  readonly terminals: readonly TerminalView[];
  readonly payments: readonly PaymentView[];
  readonly webhooks: readonly WebhookView[];
  readonly mails: readonly MailView[];
  readonly calls: readonly CallView[];
  /** The newest business day of each terminal of which the platform has one. */
  readonly days: readonly DayView[];
  readonly alerts: readonly AlertView[];
  readonly queues: readonly QueueView[];
  readonly faults: readonly FaultView[];
  readonly receiver: ReceiverView;
}

/**
 * What has changed, as one event of the stream. Of the long lists (`payments`, `webhooks`, `mails`, `calls`) it holds the items that are new
 * or changed, by `id`; every other member is whole.
 */
export type Change = Partial<Omit<Snapshot, "stack">>;

/** The most items of each long list, on the server and on the page. */
export const LONGEST = { payments: 2_000, webhooks: 500, mails: 200, calls: 500 } as const;
