export { partnersClient, type ClientOptions, type ChangeOptions, type PartnersClient } from "./client.ts";
export type { EventPageQuery, FollowOptions } from "./follow.ts";
export { NoResponse, PlatformProblem, UnexpectedResponse } from "./failures.ts";
export { standardRetries, type RetryPolicy, type World } from "../common/retries.ts";
export {
  challengeNonce,
  verifyWebhook,
  WebhookRejected,
  type RejectionReason,
  type VerifyOptions,
  type WebhookHeaders,
} from "./webhooks.ts";
export type * from "./types.ts";
export type { CallOptions, Raw, RawResponse } from "../common/sender.ts";
export type * as schemas from "./schema.ts";
