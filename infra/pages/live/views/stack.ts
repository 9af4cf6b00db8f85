/** Addresses and keys of the running demo. The keys open nothing but this stack. */
export interface StackView {
  readonly baseUrl: string;
  readonly terminalsUrl: string;
  readonly referenceUrl: string | undefined;
  /** The sample landing page, on which a customer asks for the demo's voucher. */
  readonly landingPageUrl: string | undefined;
  readonly webhookUrl: string;
  readonly partnerID: string;
  readonly merchantID: string;
  readonly webhookSecret: string;
  readonly productID: string;
  readonly templateAccessTokenID: string;
  readonly keyTemplateAccessTokenID: string | undefined;
  readonly version: string;
  /** What the autopilot plays, by the last two digits of an amount in minor units. Every other amount is approved. */
  readonly scripts: readonly { readonly digits: string; readonly name: string }[];
  /** The names that a fault can be put on. */
  readonly tables: readonly string[];
  readonly queueNames: readonly string[];
}
