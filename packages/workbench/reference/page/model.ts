import { shapeOf, type Shape } from "./fields.ts";
import type { DocumentedOperation, DocumentedResponse, OpenApi } from "./openapi.ts";

// The published documents as the page shows them.

export const apiNames = ["partners", "consumer", "terminals"] as const;
export type ApiName = (typeof apiNames)[number];

export interface ApiModel {
  readonly api: ApiName;
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly groups: readonly GroupModel[];
}

export interface GroupModel {
  readonly name: string;
  readonly description: string;
  readonly entries: readonly EntryModel[];
}

/** An operation, or a webhook. */
export interface EntryModel {
  readonly id: string;
  readonly api: ApiName;
  readonly kind: "operation" | "webhook";
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The headers that authenticate the caller. */
  readonly keys: readonly KeyModel[];
  readonly parameters: Shape;
  readonly headers: Shape;
  readonly body: BodyModel | undefined;
  readonly successes: readonly SuccessModel[];
  readonly problems: readonly ProblemModel[];
}

export interface KeyModel {
  readonly header: string;
  readonly description: string;
}

export interface BodyModel {
  readonly shape: Shape;
  readonly example: unknown;
}

export interface SuccessModel {
  readonly status: string;
  readonly means: string;
  readonly body: BodyModel | undefined;
}

export interface ProblemModel {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly isRetryable: boolean;
  readonly examples: readonly { readonly summary: string; readonly value: unknown }[];
}

export function apiModel(api: ApiName, document: OpenApi): ApiModel {
  const { title, version, description } = document.info;
  const all = [...entriesIn(api, document, "operation"), ...entriesIn(api, document, "webhook")];
  return {
    api,
    title,
    version,
    description,
    groups: document.tags.map((tag) => ({
      ...tag,
      entries: all.flatMap(([group, entry]) => (group === tag.name ? [entry] : [])),
    })),
  };
}

function entriesIn(
  api: ApiName,
  document: OpenApi,
  kind: EntryModel["kind"],
): readonly (readonly [group: string | undefined, entry: EntryModel])[] {
  const paths = Object.entries((kind === "webhook" ? document.webhooks : document.paths) ?? {});
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const shown = { id: operation.operationId, api, kind, method: method.toUpperCase(), path };
      return [operation.tags[0], { ...shown, ...entryOf(operation, document) }] as const;
    }),
  );
}

function entryOf(operation: DocumentedOperation, document: OpenApi) {
  const { summary, description = "", parameters = [], requestBody, responses } = operation;
  const { schemas, securitySchemes } = document.components;
  const schemes = Object.keys((operation.security ?? document.security)[0] ?? {});
  const named = (isWanted: (place: string) => boolean): Shape => [
    {
      name: "",
      fields: parameters
        .filter((one) => isWanted(one.in))
        .flatMap(
          ({ name, schema, description = "", required = false }) =>
            shapeOf(
              { properties: { [name]: { ...schema, description } }, required: required ? [name] : [] },
              schemas,
            )[0]?.fields ?? [],
        ),
    },
  ];
  const answers = Object.entries(responses);
  return {
    summary,
    description,
    keys: schemes.flatMap((scheme) => {
      const known = securitySchemes[scheme];
      return known ? [{ header: known.name ?? "Authorization", description: known.description }] : [];
    }),
    parameters: named((place) => place !== "header"),
    headers: named((place) => place === "header"),
    body: bodyOf(requestBody, document),
    successes: answers
      .filter(([, { "x-codes": codes }]) => codes === undefined)
      .map(([status, response]) => ({ status, means: response.description, body: bodyOf(response, document) })),
    problems: answers.flatMap(([status, response]) => problemsOf(status, response, document)),
  };
}

function bodyOf(
  of: { readonly content?: DocumentedResponse["content"] } | undefined,
  { components: { schemas } }: OpenApi,
): BodyModel | undefined {
  const content = of?.content?.["application/json"];
  return content?.schema && { shape: shapeOf(content.schema, schemas), example: content.example };
}

const problemsOf = (status: string, response: DocumentedResponse, document: OpenApi): readonly ProblemModel[] =>
  (response["x-codes"] ?? []).map((code) => {
    const names = Object.keys(response.content?.["application/json"]?.examples ?? {});
    const all = names.flatMap((name) => document.components.examples?.[name] ?? []);
    const examples = all.filter(({ value }) => problemIn(value).code === code);
    const { title = "", retryable = false } = problemIn(examples[0]?.value);
    return { status, code, title, isRetryable: retryable, examples };
  });

interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly retryable?: boolean;
}
const problemIn = (value: unknown): Problem => Object(value) as Problem;
