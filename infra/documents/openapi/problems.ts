import * as z from "zod";
import type { ZodOpenApiExamplesObject, ZodOpenApiResponseObject } from "zod-openapi";
import { sampleIds, sampleProblemPages } from "./samples/sample-ids.ts";
import {
  problemObject,
  problems,
  toProblemObject,
  type Problem,
  type ProblemCode,
  type ProblemPlace,
} from "../../../shared/contracts/objects/problem.ts";
import { invalidCredentials } from "../../../shared/edge/auth/invalid-credentials.ts";
import { apiPaths } from "../../../shared/edge/http/api-paths.ts";
import { notPlainJson, tooLarge } from "../../../shared/edge/http/read-body.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";
import { credentialsOf, type OpenApiVersion } from "./apis.ts";

/** The headers of every response. */
export const anyAnswer = {
  "X-Request-Id": z.string().meta({ description: "The identifier of this request in our logs." }),
  "Cache-Control": z.literal("no-store").meta({ description: "Responses are not cached." }),
  "RateLimit-Policy": z
    .string()
    .optional()
    .meta({ description: '`"calls";q=6000;w=60`: the number of calls (`q`) allowed in a window of seconds (`w`).' }),
  RateLimit: z
    .string()
    .optional()
    .meta({ description: '`"calls";r=5990`: the number of calls (`r`) left of the limit that was counted last.' }),
};
/** The conflicts that name the seconds to wait. */
const waitingCodes: ReadonlySet<ProblemCode> = new Set(["terminal_busy", "idempotency_in_progress"]);
const retryAfter = z.string().regex(/^\d+$/).meta({ description: "Seconds to wait before the next attempt." });

/** An endpoint's problems: one response for each status, with every code that it may carry. */
export function problemResponses(
  contract: Contract,
  version: OpenApiVersion,
): Record<string, ZodOpenApiResponseObject> {
  const { api, problems: codes, route } = contract;
  const byStatus = [...Map.groupBy(codes, (code) => problems[code].status)].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    byStatus.map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${named(code, version)}: ${problems[code].title}.`).join("\n\n"),
        headers: z.object({ ...anyAnswer, ...waiting(status, codes) }),
        ...(version === "3.1.1" ? modern(codes, contract) : plain(codes, contract, `${apiPaths[api]}/${route}`)),
      },
    ]),
  );
}

/** The code. The document for people links it to its section on the page `problems`, next to the reference. */
const named = (code: ProblemCode, version: OpenApiVersion): string =>
  version === "3.1.1" ? `[\`${code}\`](problems#${code})` : `\`${code}\``;

const waiting = (status: number, codes: readonly ProblemCode[]) =>
  status === 429 || status === 503
    ? { "Retry-After": retryAfter }
    : codes.some((code) => waitingCodes.has(code)) && { "Retry-After": retryAfter.optional() };

/** Every code with an example, in both content types that a caller may request. `x-codes` lists the values of `code` here. */
function modern(codes: readonly ProblemCode[], contract: Contract) {
  const names = codes.flatMap((code) => samplesOf(code, contract).map(({ name }) => name));
  const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
  const media = { schema: problemObject, examples };
  return { content: { "application/json": media, "application/problem+json": media }, "x-codes": codes };
}

function plain(codes: readonly ProblemCode[], contract: Contract, instance: string) {
  const [first] = codes.flatMap((code) => samplesOf(code, contract));
  const example = first && toProblemObject(first.problem, samplePlace(instance));
  return { content: { "application/json": { schema: problemObject, example } } };
}

/** The examples of every problem of the operations, for the document that they share. */
export const problemExamples = (contracts: readonly Contract[]): ZodOpenApiExamplesObject =>
  Object.fromEntries(
    contracts
      .flatMap((contract) => contract.problems.flatMap((code) => samplesOf(code, contract)))
      .map(({ name, summary, problem }) => [
        name,
        { summary, value: toProblemObject(problem, samplePlace("/the-path")) },
      ]),
  );

interface Sample {
  readonly name: string;
  readonly summary: string;
  readonly problem: Problem;
}

/**
 * The examples of a code in an operation. Usually there is one, under the code's name. A 401 has one for each header that can be wrong or
 * missing. A refund that may repeat another one has its own.
 */
function samplesOf(code: ProblemCode, contract: Contract): readonly Sample[] {
  if (code === "possible_duplicate" && contract.name === "pos-payment-refund") return [madeAlready];
  if (code !== "invalid_credentials")
    return [{ name: code, summary: problems[code].title, problem: sampleProblem(code) }];
  const [first, ...others] = credentialsOf(contract).flatMap((header) => [
    { name: `${code}-${header}-wrong`, summary: `${header} is wrong`, problem: invalidCredentials(header, "wrong") },
    { name: `${code}-${header}-missing`, summary: `${header} is missing`, problem: invalidCredentials(header, null) },
  ]);
  return first ? [{ ...first, name: code }, ...others] : [];
}

const madeAlready: Sample = {
  name: "possible_duplicate-refund",
  summary: "The refund was made already",
  problem: {
    code: "possible_duplicate",
    refund: { idAsReceived: sampleIds.refundID, status: "succeeded", updatedAt: "2026-11-21T10:42:08.420Z" },
  },
};

const samplePlace = (instance: string): ProblemPlace => ({
  instance,
  requestID: "0f8fad5b-d9cb-469f-a165-70867728950e",
  pagesUrl: sampleProblemPages,
});

/** A problem as a caller might receive it, with what its code always carries. */
const sampleProblem = (code: ProblemCode): Problem => ({ code, ...samples[code] });

const samples: { readonly [Code in ProblemCode]?: Omit<Problem, "code"> } = {
  invalid_json: { detail: "At line 1, column 96: a comma is missing." },
  body_too_large: { detail: tooLarge.detail },
  unsupported_media_type: { detail: notPlainJson.detail },
  forbidden: { detail: "The key lacks the scope payments." },
  validation_failed: { errors: [{ field: "sessionID", code: "invalid", message: "must look like a UUID" }] },
  terminal_busy: { sessionId: sampleIds.sessionID },
  terminal_unavailable: { detail: "The terminal is set to closed." },
  invalid_state: { currentStatus: "captured", detail: "The payment is captured: refund it instead." },
  session_conflict: { detail: "This session was already requested with different content." },
  possible_duplicate: { sessionId: sampleIds.sessionID },
  merchant_mismatch: { detail: `The terminal belongs to the merchant ${sampleIds.merchantID}.` },
  terminal_mismatch: { detail: `The payment is on the terminal ${sampleIds.pointOfServiceID}.` },
  currency_mismatch: { detail: "The payment is in SEK." },
  amount_exceeds_refundable: {
    errors: [{ field: "refundAmount", code: "out_of_range", message: "must be at most 12.5, which is left to refund" }],
  },
  idempotency_mismatch: { detail: "The refundID and the Idempotency-Key do not belong to the same refund." },
  target_required: { detail: "This key has access to several terminals. Send the sessionID." },
  ambiguous_target: { detail: "Several action requests are pending. Send an actionRequestID." },
  landing_page_unavailable: { detail: "The page has reached its limit." },
  voucher_unavailable: { detail: "This voucher is being used in another payment." },
};
