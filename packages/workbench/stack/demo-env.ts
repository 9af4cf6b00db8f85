import type { DemoPartner } from "../../../infra/operator/common/seed.ts";
import { typed } from "../../../infra/tools/typed-command.ts";

interface Demo {
  /** The port of the partner's server. */
  readonly webhookPort: number;
  readonly baseUrl: string;
  readonly demo: DemoPartner & { readonly subscriptionKey: string };
}

/** The settings of a partner's server for this stack: a file for `node --env-file`, for a shell, and for people who copy a value. */
export const demoEnv = ({ baseUrl, demo, webhookPort }: Demo): string => `\
# The local demo's values, which are public. Those of another platform come from its operator, and its keys belong in a vault.
BASE_URL=${baseUrl}
APIKEY=${demo.apikey}
SUBSCRIPTION_KEY=${demo.subscriptionKey}
MERCHANT_ID=${demo.merchantID}
TERMINAL_ID=${demo.terminals.autopilot.pointOfServiceID}
# Two while a secret is rotated, with a space between them.
WEBHOOK_SECRETS=${demo.webhookSecret}
WEBHOOK_PORT=${webhookPort}
`;

/** The settings of a terminal for this stack: of the silent one, which no program of the stack plays. */
export const terminalEnv = ({
  terminalsUrl,
  demo,
}: {
  readonly terminalsUrl: string;
  readonly demo: DemoPartner;
}): string => `\
# The silent terminal of the local demo: ${typed("try", "--terminal silent")} requests a payment on it.
TERMINALS_URL=${terminalsUrl}
TERMINAL_KEY=${demo.terminals.silent.terminalKey}
`;
