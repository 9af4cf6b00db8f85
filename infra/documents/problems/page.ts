import { endpoints } from "../../../functions/endpoints.ts";
import { problems, toProblemObject, type ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import { fieldCodes } from "../../../shared/domain/refusal.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";
import { apis } from "../openapi/apis.ts";
import { problemExamples } from "../openapi/problems.ts";
import { ofAnyOperation } from "./words/any-operation.ts";
import type { PageWords } from "./words/page-words.ts";
import { ofPayments } from "./words/payments.ts";
import { ofTerminalsAndVouchers } from "./words/terminals-and-vouchers.ts";

/** Every code with its words. The compiler requires words for a new code. */
export const words: Readonly<Record<ProblemCode, PageWords>> = {
  ...ofAnyOperation,
  ...ofPayments,
  ...ofTerminalsAndVouchers,
};

/** Every code, by status. */
export const problemCodes = Object.keys(problems) as readonly ProblemCode[];

/** `docs/problems.md`: the list of all codes, and a section about each for a reader who received it. */
export const problemsPage = (): string =>
  `${["<!-- Written by npm run docs from infra/documents/problems: change it there. -->", "# Problems", ...introduction, ...problemCodes.flatMap(sectionOf)].join("\n\n")}\n`;

const introduction = [
  "Every error of the three APIs has a `code`. Its section here says what happened, whether you may retry the request, what to do, and which operations respond with it. If the operator publishes this page, `type` in the error is the address of the section.",
  "The examples leave out three members that every error has: `type`, `instance` (the path of the request) and `requestID`.",
  tableOf(
    ["code", "status", "meaning", "`retryable`"],
    problemCodes.map((code) => {
      const { status, title, retryable } = problems[code];
      return [`[\`${code}\`](#${code})`, String(status), title, retryable ? "yes" : "no"];
    }),
  ),
];

/** The heading is the code, so GitHub's anchor is the code too. */
function sectionOf(code: ProblemCode): readonly string[] {
  const { happened, retry, toDo } = words[code];
  const carried = carriedBy(code);
  return [
    `## \`${code}\``,
    `\`${exampleOf(code)}\``,
    happened,
    ...(carried === "" ? [] : [`**Carries** ${carried}.`]),
    `**Retry?** ${retry}`,
    toDo.map((item) => `- ${item}`).join("\n"),
    ...(code === "validation_failed" ? [fieldCodeTable] : []),
    `**From** ${operationsWith(code)}`,
  ];
}

/** The parts of a response with this code that not every problem has, as the page lists them. */
function carriedBy(code: ProblemCode): string {
  const { always = [], sometimes = [] } = words[code];
  const of = (parts: readonly string[]) => parts.map((part) => `\`${part}\``).join(", ");
  return [
    ...(always.length > 0 ? [of(always)] : []),
    ...(sometimes.length > 0 ? [`sometimes ${of(sometimes)}`] : []),
  ].join("; ");
}

const fieldCodeTable = tableOf(
  ["`code` in `errors`", "meaning"],
  Object.entries(fieldCodes).map(([code, means]) => [`\`${code}\``, means]),
);

const contracts: readonly Contract[] = endpoints.map(({ contract }) => contract);
const examples = {
  ...problemExamples(contracts),
  ...problemExamples(contracts.filter(({ api }) => api === "partners")), // whose headers most readers send
};
const leftOut = ["type", "instance", "requestID"];

/** The documents' example in one line. The code that only the gateway returns has no example there, because no operation returns it. */
function exampleOf(code: ProblemCode): string {
  const example = code in examples ? examples[code] : undefined;
  const value =
    example && "value" in example ? example.value : toProblemObject({ code }, { instance: "", requestID: "" });
  const shown = JSON.stringify(value, (name, member: unknown) => (leftOut.includes(name) ? undefined : member), 1);
  return shown.replaceAll(/\n\s*/g, " ");
}

function operationsWith(code: ProblemCode): string {
  const having = contracts.filter((contract) => contract.problems.includes(code));
  if (having.length === 0) return "the gateway, if no operation matches the request.";
  if (having.length === contracts.length) return "every operation.";
  const byApi = [...Map.groupBy(having, ({ api }) => apis[api].title)];
  return `${byApi.map(([title, of]) => `the ${title}: ${of.map(({ summary }) => summary).join(", ")}`).join("; ")}.`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const [names, ...lines] = [head, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [names, `|${"---|".repeat(head.length)}`, ...lines].join("\n");
}
