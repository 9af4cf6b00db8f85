import { readFileSync } from "node:fs";
import { z } from "zod";
import { problems, toProblemObject, type ProblemCode } from "../../shared/contracts/objects/problem.ts";
import { fieldCodes } from "../../shared/domain/refusal.ts";
import { ofAnyOperation } from "./words/any-operation.ts";
import type { PageWords } from "./words/page-words.ts";
import { ofPayments } from "./words/payments.ts";
import { ofTerminalsAndVouchers } from "./words/terminals-and-vouchers.ts";

/** Every code with the words of its page. The compiler asks for a new one's. */
const words: Readonly<Record<ProblemCode, PageWords>> = { ...ofAnyOperation, ...ofPayments, ...ofTerminalsAndVouchers };

/** Every code, by status. */
export const problemCodes = Object.keys(problems) as readonly ProblemCode[];

/** A part of a page. Texts are Markdown with code and nothing else in their lines. */
export type Block =
  | { readonly kind: "title" | "heading" | "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "json"; readonly text: string };

/** The page about a code: what a person needs who met it. */
export function problemPage(code: ProblemCode): readonly Block[] {
  const { happened, retry, toDo } = words[code];
  const { status, title, retryable } = problems[code];
  return [
    { kind: "title", text: `\`${code}\`` },
    { kind: "text", text: `${status}: ${title}. \`retryable\` is \`${retryable}\`.` },
    { kind: "heading", text: "What happened" },
    { kind: "text", text: happened },
    { kind: "heading", text: "May I send it again?" },
    { kind: "text", text: retry },
    { kind: "heading", text: "What to do" },
    { kind: "list", items: toDo },
    ...(code === "validation_failed" ? fieldCodeTable : []),
    { kind: "heading", text: "An example" },
    { kind: "json", text: JSON.stringify(exampleOf(code), null, 2) },
    { kind: "heading", text: "Who answers it" },
    ...operationsWith(code),
  ];
}

/** The codes with their statuses and titles, for the list of all pages. */
export const problemRows = (): readonly (readonly [
  code: ProblemCode,
  status: string,
  title: string,
  again: string,
])[] =>
  problemCodes.map((code) => {
    const { status, title, retryable } = problems[code];
    return [code, String(status), title, retryable ? "yes" : "no"];
  });

const fieldCodeTable: readonly Block[] = [
  { kind: "heading", text: "Codes of fields" },
  {
    kind: "table",
    head: ["`code` in `errors`", "meaning"],
    rows: Object.entries(fieldCodes).map(([code, means]) => [`\`${code}\``, means]),
  },
];

const documented = z.object({
  info: z.object({ title: z.string() }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        summary: z.string(),
        responses: z.record(z.string(), z.object({ "x-codes": z.array(z.string()).optional() })),
      }),
    ),
  ),
  components: z.object({ examples: z.record(z.string(), z.object({ value: z.unknown() })) }),
});

/** The published documents: what is said of an operation stands there alone. */
const documents = ["partners", "consumer", "terminals"].map((api) => {
  const file = new URL(`../../docs/openapi/${api}.json`, import.meta.url);
  return { api, ...documented.parse(JSON.parse(readFileSync(file, "utf8"))) };
});

const operations = documents.flatMap(({ api, info, paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, responses }]) => ({
      api: info.title,
      call: `\`${method.toUpperCase()} /${api}${path}\``,
      summary,
      codes: Object.values(responses).flatMap((response) => response["x-codes"] ?? []),
    })),
  ),
);

/** The example of the documents; the gateway's own refusal is in none, since it belongs to no operation. */
function exampleOf(code: ProblemCode): unknown {
  const examples = documents.flatMap(({ components }) => Object.entries(components.examples));
  const found = examples.find(([name]) => name === code || name.startsWith(`${code}-`))?.[1].value;
  const place = { instance: "/the-path", requestID: "0f8fad5b-d9cb-469f-a165-70867728950e" };
  return found ?? toProblemObject({ code }, place);
}

function operationsWith(code: ProblemCode): readonly Block[] {
  const having = operations.filter(({ codes }) => codes.includes(code));
  if (having.length === 0) return [{ kind: "text", text: "The gateway, to a request that is for no operation." }];
  if (having.length === operations.length) return [{ kind: "text", text: "Every operation." }];
  const rows = having.map(({ api, call, summary }) => [summary, call, api]);
  return [{ kind: "table", head: ["operation", "request", "API"], rows }];
}
