// What the page is given of the stack, beside the published documents.

/** The demo's own values, for the guide. */
export interface DemoView {
  readonly baseUrl: string;
  readonly terminalsUrl: string;
  /** The live page, where there is one. */
  readonly liveUrl?: string;
  readonly keys: readonly KeyView[];
  readonly webhookSecret: string;
  /** The first payment request, as a command for a POSIX shell. */
  readonly curl: string;
  /** What the terminal on autopilot plays, by the last two digits of the amount's minor units. */
  readonly scripts: readonly { readonly digits: string; readonly name: string }[];
}

export interface KeyView {
  readonly header: string;
  readonly value: string;
}
