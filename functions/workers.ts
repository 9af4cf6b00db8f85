import { accessTokens } from "./workers/access-tokens.ts";
import { deadlines } from "./workers/deadlines.ts";
import { mails } from "./workers/mails.ts";
import { operatorAlerts } from "./workers/operator-alerts.ts";
import { terminalMessages } from "./workers/terminal-messages.ts";
import { webhookDeliveries, webhookRetries } from "./workers/webhook-deliveries.ts";

/** The worker of every queue. */
export const workers = [
  terminalMessages,
  webhookDeliveries,
  webhookRetries,
  deadlines,
  accessTokens,
  mails,
  operatorAlerts,
];
