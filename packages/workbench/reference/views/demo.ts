// The page's data about the stack, in addition to the published documents.

/** The demo's own values, for the guide. */
export interface DemoView {
  readonly baseUrl: string;
  readonly terminalsUrl: string;
  /** The address of the live page, if there is one. */
  readonly liveUrl?: string;
  /** The address of the sample landing page, if there is one. */
  readonly landingPageUrl?: string;
  readonly keys: readonly KeyView[];
  readonly webhookSecret: string;
  /** The first payment request, as a command for a POSIX shell. */
  readonly curl: string;
  /** The autopilot's scripts, by the last two digits of the amount in minor units. */
  readonly scripts: readonly { readonly digits: string; readonly name: string }[];
}

export interface KeyView {
  readonly header: string;
  readonly value: string;
}
