export { partnersClient, type CallOptions, type ClientOptions, type PartnersClient } from "./client.ts";
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
export type { components, operations, paths } from "./schema.d.ts";
