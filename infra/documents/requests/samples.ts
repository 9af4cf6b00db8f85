import { sampleIds } from "../openapi/samples/sample-ids.ts";
import type { ApiName } from "../../../shared/edge/auth/authenticate.ts";
import { apiPaths } from "../../../shared/edge/http/api-paths.ts";
import { openApiDocument } from "../openapi/document.ts";

/** A request that can be sent unchanged. `{{name}}` in its parts is a variable of the environment. */
export interface SampleRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Indented JSON. */
  readonly body: string | undefined;
}

/** The members of OpenAPI that are read here. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly name?: string }>> };
}

/** The last request of the file, because a cancel would end the payment that the other requests use. */
const LAST = "pos-payment-cancel";

/** Every terminal can report a start. A report on a missing payment would alert an operator instead. */
const bodies: Readonly<Record<string, unknown>> = {
  report: { reportID: sampleIds.reportID, type: "started", memory: "kept" },
};

/** A further request of an operation, which comes before the documented example. */
const others: Readonly<Record<string, { readonly name: string; readonly more: object }>> = {
  "pos-payment-cancel": { name: "Withdraw Refund", more: { refundID: sampleIds.refundID } },
};

/** Each operation of the API with its documented example, and further requests, in an order in which they can be sent one after another. */
export function sampleRequests(api: ApiName): readonly SampleRequest[] {
  const document = JSON.parse(JSON.stringify(openApiDocument(api, "3.1.1"))) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const isLast = ({ operation }: (typeof operations)[number]) => Number(operation.operationId === LAST);
  return operations
    .toSorted((one, other) => isLast(one) - isLast(other))
    .flatMap(({ path, method, operation }) => {
      const body = bodies[operation.operationId] ?? operation.requestBody?.content["application/json"]?.example;
      const request = {
        method: method.toUpperCase(),
        url: `{{baseUrl}}${apiPaths[api]}${withExamples(path, operation)}`,
        headers: [
          ...credentialHeaders(document, operation),
          ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
        ],
      };
      const other = others[operation.operationId];
      return [
        ...(other ? [{ ...request, name: other.name, body: textOf({ ...Object(body), ...other.more }) }] : []),
        { ...request, name: operation.summary, body: textOf(body) },
      ];
    });
}

const textOf = (body: unknown): string | undefined =>
  body === undefined ? undefined : withVariables(JSON.stringify(body, null, 2));

const withExamples = (path: string, { parameters = [] }: Operation): string =>
  parameters.reduce(
    (filled, { name, in: place, example }) =>
      place === "path" && typeof example === "string" ? filled.replace(`{${name}}`, withVariables(example)) : filled,
    path,
  );

/** The headers of the security schemes that the operation requires. The variable of a scheme's key has the scheme's name. */
const credentialHeaders = ({ security, components }: Document, operation: Operation) =>
  Object.keys((operation.security ?? security)[0] ?? {}).map(
    (scheme) =>
      [
        components.securitySchemes[scheme]?.name ?? "Authorization",
        scheme === "basic" ? "Basic {{basic}}" : `{{${scheme}}}`,
      ] as const,
  );

/** Replaces the documents' identifiers in the text with variables. */
const withVariables = (text: string): string =>
  Object.entries(sampleIds).reduce((filled, [name, sample]) => filled.replaceAll(sample, `{{${name}}}`), text);

/** The variables of these requests, in order of appearance. */
export const variablesOf = (requests: readonly SampleRequest[]): readonly string[] => [
  ...new Set([...JSON.stringify(requests).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name)),
];
