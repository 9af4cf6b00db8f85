import { checkHeader } from "./check-header.ts";
import { choose } from "./choose.ts";
import { cors } from "./cors.ts";
import type { Policy } from "./policy.ts";
import { rateLimit, rateLimitByKey } from "./rate-limit.ts";
import { retry } from "./retry.ts";
import { returnResponse } from "./return-response.ts";
import { rewriteUri } from "./rewrite-uri.ts";
import { setBackendService } from "./set-backend-service.ts";
import { setBody } from "./set-body.ts";
import { setHeader } from "./set-header.ts";
import { setStatus } from "./set-status.ts";
import { setVariable } from "./set-variable.ts";
import { validateContent } from "./validate-content.ts";

/** The policies that are supported in inbound, outbound and on-error, in addition to `base` and `include-fragment`. */
export const policies: ReadonlyMap<string, Policy> = new Map([
  ["check-header", checkHeader],
  ["choose", choose],
  ["cors", cors],
  ["rate-limit", rateLimit],
  ["rate-limit-by-key", rateLimitByKey],
  ["retry", retry],
  ["return-response", returnResponse],
  ["rewrite-uri", rewriteUri],
  ["set-backend-service", setBackendService],
  ["set-body", setBody],
  ["set-header", setHeader],
  ["set-status", setStatus],
  ["set-variable", setVariable],
  ["validate-content", validateContent],
]);
