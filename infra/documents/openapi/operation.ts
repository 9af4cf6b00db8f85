import * as z from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi";
import { sampleIds } from "./samples/sample-ids.ts";
import { identifier } from "../../../shared/contracts/identifier.ts";
import type { Contract, FileSuccess, Success } from "../../../shared/edge/http/contract.ts";
import { keyParameters, type ApiWords, type OpenApiVersion } from "./apis.ts";
import { examples } from "./examples.ts";
import { anyAnswer, problemResponses } from "./problems.ts";

/** Converts an endpoint's contract to an operation of its API's document. */
export function operationOf(contract: Contract, api: ApiWords, version: OpenApiVersion): ZodOpenApiOperationObject {
  const { name, summary, description, body, scopes, basic, parameters } = contract;
  const named = scopes.map((scope) => `\`${scope}\``).join(" or ");
  const needs = named === "" ? "" : `\n\nNeeds a key with the scope ${named}.`;
  return {
    operationId: name,
    tags: [api.groupOf(contract)],
    summary,
    description: `${description}${needs}`,
    ...(basic && { security: [{ functionKey: [], basic: [] }] }),
    requestParams: { ...parameters, ...(version === "3.0.3" && withKeys(contract)), path: pathOf(contract) },
    ...(body && {
      requestBody: {
        required: !body.isOptional,
        content: { "application/json": { schema: body.shown ?? body.schema, example: examples[name]?.body } },
      },
    }),
    responses: { ...successResponses(contract), ...problemResponses(contract, version) },
  };
}

const withKeys = ({ api, parameters }: Contract) => ({
  header: keyParameters(api).extend(parameters.header?.shape ?? {}),
});

const pathOf = ({ route, parameters }: Contract) =>
  z.object(
    Object.fromEntries(
      [...route.matchAll(/\{(\w+)\}/g)].map(([, name = ""]): [string, z.ZodType] => {
        const own = parameters.path?.shape[name];
        if (own) return [name, own as z.ZodType];
        const what = name.replace(/_id$/, "").replaceAll("_", " ");
        const description = `The ${what}'s identifier, in upper or lower case.`;
        return [name, identifier.meta({ description, param: { example: sampleFor(name) } })];
      }),
    ),
  );

/** `session_id` in a path is `sessionID` in a body. */
function sampleFor(parameter: string): string {
  const field = parameter.replace(/_id$/, "ID").replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const sample = Object.entries(sampleIds).find(([name]) => name === field)?.[1];
  if (sample === undefined) throw new Error(`there is no sample for the parameter ${parameter}`);
  return sample;
}

const replayed = {
  "Idempotent-Replayed": z.literal("true").optional().meta({ description: "The request is a retry." }),
};

const asFile = {
  "Content-Disposition": z.string().optional().meta({ description: "The suggested file name." }),
  Link: z.string().optional().meta({
    description:
      'The next page of the file, as `<?after=…>; rel="next"`, relative to this request. Absent on the last page.',
  }),
};

function successResponses({ name, successes, replays }: Contract): Record<string, ZodOpenApiResponseObject> {
  const headers = z.object({ ...anyAnswer, ...(replays && replayed) });
  const response = (
    status: string,
    success: Success | FileSuccess | { readonly means: string },
  ): ZodOpenApiResponseObject => ({
    description: success.means,
    headers: "csv" in success ? headers.extend(asFile) : headers,
    ...("csv" in success && { content: { "text/csv": { schema: success.csv } } }),
    ...("body" in success && {
      content: { "application/json": { schema: success.body, example: examples[name]?.[status] } },
    }),
  });
  return Object.fromEntries(Object.entries(successes).map(([status, success]) => [status, response(status, success)]));
}
