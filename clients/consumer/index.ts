export { consumerClient, type CallOptions, type ClientOptions, type ConsumerClient } from "./client.ts";
export { NoResponse, PlatformProblem, UnexpectedResponse } from "./failures.ts";
export { standardRetries, type RetryPolicy, type World } from "../common/retries.ts";
export type * from "./types.ts";
export type { components, operations, paths } from "./schema.d.ts";
