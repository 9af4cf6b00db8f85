import { z } from "zod";
import type { ZodOpenApiExamplesObject, ZodOpenApiResponseObject } from "zod-openapi";
import { sampleIds } from "../../shared/contracts/examples/sample-ids.ts";
import {
  problemObject,
  problems,
  toProblemObject,
  type Problem,
  type ProblemCode,
} from "../../shared/contracts/objects/problem.ts";
import type { Contract } from "../../shared/http/contract.ts";
import type { OpenApiVersion } from "./apis.ts";

/** The headers of every response. */
export const anyAnswer = {
  "X-Request-Id": z.string().meta({ description: "The name of this request in our logs." }),
  "Cache-Control": z.literal("no-store").meta({ description: "A response is valid for its moment only." }),
};
const retryAfter = z.string().regex(/^\d+$/).meta({ description: "Seconds to wait before the next try." });

/** An endpoint's problems: one response for each status, with every code that it may carry. */
export function problemResponses(
  { problems: codes, route }: Contract,
  version: OpenApiVersion,
): Record<string, ZodOpenApiResponseObject> {
  const byStatus = [...Map.groupBy(codes, (code) => problems[code].status)].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    byStatus.map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join("\n\n"),
        headers: z.object({ ...anyAnswer, ...waiting(status, codes) }),
        ...(version === "3.1.1" ? modern(codes) : plain(codes, `/${route}`)),
      },
    ]),
  );
}

const waiting = (status: number, codes: readonly ProblemCode[]) =>
  status === 429 || status === 503
    ? { "Retry-After": retryAfter }
    : codes.includes("terminal_busy") && { "Retry-After": retryAfter.optional() };

/** Every code with an example, in both content types that a caller may request. `x-codes` lists the values of `code` here. */
function modern(codes: readonly ProblemCode[]) {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  const media = { schema: problemObject, examples };
  return { content: { "application/json": media, "application/problem+json": media }, "x-codes": codes };
}

function plain([first]: readonly ProblemCode[], instance: string) {
  const example = first && toProblemObject(sampleProblem(first), instance, sampleRequestId);
  return { content: { "application/json": { schema: problemObject, example } } };
}

/** One example for each code, for the documents that share them. */
export const problemExamples = (codes: Iterable<ProblemCode>): ZodOpenApiExamplesObject =>
  Object.fromEntries(
    [...new Set(codes)].map((code) => [
      code,
      { summary: problems[code].title, value: toProblemObject(sampleProblem(code), "/the-path", sampleRequestId) },
    ]),
  );

const sampleRequestId = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** A problem as a caller might receive it: with the field, the state or the session that it concerns. */
function sampleProblem(code: ProblemCode): Problem {
  switch (code) {
    case "validation_failed":
      return { code, errors: [{ field: "sessionID", code: "custom", message: "must look like a UUID" }] };
    case "invalid_state":
      return { code, currentStatus: "captured" };
    case "possible_duplicate":
      return { code, sessionId: sampleIds.sessionID };
    default:
      return { code };
  }
}
