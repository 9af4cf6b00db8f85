export { consumerClient, type ClientOptions, type ConsumerClient } from "./client.ts";
export { NoResponse, PlatformProblem, UnexpectedResponse } from "./failures.ts";
export { standardRetries, type RetryPolicy, type World } from "../common/retries.ts";
export type * from "./types.ts";
export type { CallOptions, Raw, RawResponse } from "../common/sender.ts";
export type * as schemas from "./schema.ts";
