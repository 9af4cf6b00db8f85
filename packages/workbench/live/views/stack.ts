/** Addresses and keys of the running demo. The keys are valid only for this stack. */
export interface StackView {
  readonly baseUrl: string;
  readonly terminalsUrl: string;
  readonly referenceUrl: string | undefined;
  /** The sample landing page. A customer asks for the demo's voucher there. */
  readonly landingPageUrl: string | undefined;
  readonly webhookUrl: string;
  readonly partnerID: string;
  readonly merchantID: string;
  readonly webhookSecret: string;
  readonly productID: string;
  readonly templateAccessTokenID: string;
  readonly keyTemplateAccessTokenID: string | undefined;
  readonly version: string;
  /** The autopilot's scripts, by the last two digits of an amount in minor units. Every other amount is approved. */
  readonly scripts: readonly { readonly digits: string; readonly name: string }[];
  /** The names of tables and queues on which a fault can be set. */
  readonly tables: readonly string[];
  readonly queueNames: readonly string[];
}
