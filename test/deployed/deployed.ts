/** The address of a deployed platform's gateway, and the path of the settings with its credentials for the black-box tests. */
export interface Deployed {
  readonly baseUrl: string;
  readonly settings: string;
}

/** The address under which a deployed platform reaches this machine: `url` leads to `port` here. */
export interface WebhookPlace {
  readonly url: string;
  readonly port: number;
}

const [BASE_URL, SETTINGS, WEBHOOKS] = ["E2E_BASE_URL", "E2E_SETTINGS", "E2E_WEBHOOKS"] as const;

/** Environment variables for the process of the tests. They hold paths and addresses only: a credential stays in its file. */
export const asEnvironment = ({ baseUrl, settings }: Deployed, webhooks: WebhookPlace) => ({
  [BASE_URL]: baseUrl,
  [SETTINGS]: settings,
  ...(webhooks.url !== "" && { [WEBHOOKS]: JSON.stringify(webhooks) }),
});

/** Undefined if webhooks arrive on a free port of this machine. */
export const webhookPlace = (environment: NodeJS.ProcessEnv): WebhookPlace | undefined =>
  environment[WEBHOOKS] === undefined ? undefined : (JSON.parse(environment[WEBHOOKS]) as WebhookPlace);

/** Whether the tests run on a deployed platform. */
export const isDeployed = (environment: NodeJS.ProcessEnv): boolean => environment[BASE_URL] !== undefined;

export const deployed = (environment: NodeJS.ProcessEnv): Deployed => ({
  baseUrl: environment[BASE_URL] ?? "",
  settings: environment[SETTINGS] ?? "",
});
