import type { DemoPartner } from "../../../infra/operator/common/seed.ts";

interface Demo {
  readonly baseUrl: string;
  readonly demo: DemoPartner & { readonly subscriptionKey: string };
}

/** The settings of a partner's server for this stack: a file for `node --env-file`, for a shell, and for people who copy a value. */
export const demoEnv = ({ baseUrl, demo }: Demo): string => `\
# The local demo's values, which are public. Those of another platform come from its operator, and its keys belong in a vault.
BASE_URL=${baseUrl}
APIKEY=${demo.apikey}
SUBSCRIPTION_KEY=${demo.subscriptionKey}
MERCHANT_ID=${demo.merchantID}
TERMINAL_ID=${demo.terminals.autopilot.pointOfServiceID}
# Two while a secret is rotated, with a space between them.
WEBHOOK_SECRETS=${demo.webhookSecret}
WEBHOOK_PORT=4242
`;
