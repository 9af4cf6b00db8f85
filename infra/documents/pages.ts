import { readFile } from "node:fs/promises";
import * as z from "zod";
import { alertKinds } from "../../shared/domain/alert-kinds.ts";
import { unusualCurrencies } from "../../shared/domain/currency.ts";
import { retentionTable } from "../../shared/domain/retention.ts";
import { describedSettings } from "../../shared/edge/settings/config.ts";
import { logEvents } from "../../shared/ports/log.ts";
import { azureAlerts } from "../azure/alerts.ts";
import { mailTextTable } from "./mails/text-table.ts";
import { problemsPage } from "./problems/page.ts";
import { statesPage } from "./states-page.ts";

// The pages, and the parts of pages, that repeat the code of the platform. `npm run docs` writes them, and those of the packages.

const root = new URL("../../", import.meta.url);

type Part = () => string | Promise<string>;

/** The meaning of each alert and what to do about it, by the name of its place in the runbook. */
const runbookParts: Readonly<Record<string, Part>> = Object.fromEntries([
  ...Object.entries(alertKinds).map(
    ([kind, { means, toDo }]) => [`alert ${kind}`, () => `${means}\n\n**Do**: ${toDo}`] as const,
  ),
  ...Object.entries<{ means: string; routine?: true }>(logEvents).flatMap(([event, { means, routine }]) =>
    routine ? [] : [[`event ${event}`, () => means] as const],
  ),
  ...azureAlerts.map(({ name, means, severity, rule }) => [
    `azure ${name}`,
    () => `${means}\n\nSeverity ${severity}; ${rule}.`,
  ]),
]);

/** One line for each log event. */
const eventTable: Part = () =>
  [
    "| event | level | what it means | members of its own |",
    "|---|---|---|---|",
    ...Object.entries<{ level: string; means: string; members: readonly string[] }>(logEvents).map(
      ([name, { level, means, members }]) =>
        `| \`${name}\` | ${level} | ${means} | ${members.map((member) => `\`${member}\``).join(", ")} |`,
    ),
  ].join("\n");

/** One line for each setting. A setting with a default may be left out. */
const settingTable: Part = () =>
  [
    "| setting | what it is | default | unit | secret |",
    "|---|---|---|---|---|",
    ...Object.entries(describedSettings).map(([name, schema]) => {
      const { means, unit = "", secret = false, needed = "required" } = settingMeta.parse(schema.meta());
      const standard = defaultOf(schema) ?? needed;
      return `| \`${name}\` | ${means} | ${standard} | ${unit} | ${secret ? "yes" : ""} |`;
    }),
  ].join("\n");

/** The default of a setting, as code. Undefined if it has no default. */
function defaultOf(schema: z.ZodType): string | undefined {
  const { data } = schema.safeParse(undefined);
  return typeof data === "string" || typeof data === "number" ? `\`${data}\`` : undefined;
}

/** One line for each kind of record that is deleted or erased after some time. */
const retentionRows: Part = () =>
  [
    "| kind | what leaves | after | at least | because |",
    "|---|---|---|---|---|",
    ...Object.entries(retentionTable).map(
      ([kind, { days, least, leaves, because }]) =>
        `| \`${kind}\` | ${leaves} | ${days} days | ${least} days | ${because} |`,
    ),
  ].join("\n");

const settingMeta = z.object({
  means: z.string(),
  unit: z.string().optional(),
  secret: z.boolean().optional(),
  needed: z.string().optional(),
});

/** A source file, unchanged, in a code block. */
const source =
  (path: string, language = "ts"): Part =>
  async () =>
    `\`\`\`${language}\n${await readFile(new URL(path, root), "utf8")}\`\`\``;

/** The currencies whose number of decimals is not two. */
const decimalsTable = (): string =>
  [
    "| decimals | currencies |",
    "|---|---|",
    ...[...unusualCurrencies].map(
      ([decimals, codes]) => `| ${decimals} | ${codes.map((code) => `\`${code}\``).join(", ")} |`,
    ),
  ].join("\n");

/** Parts of pages, by page and by the name in the two comments around each part. */
export type PageParts = Readonly<Record<string, Readonly<Record<string, Part>>>>;

/** The parts that repeat the code of the platform. */
export const platformParts: PageParts = {
  "docs/operations.md": { events: eventTable },
  "docs/runbook.md": runbookParts,
  "docs/settings.md": { settings: settingTable },
  "docs/mails.md": { "mail texts": mailTextTable },
  "docs/tables.md": { retention: retentionRows },
  "docs/integrate.md": {
    "receiver.ts": source("examples/receiver/receiver.ts"),
    "pay.ts": source("examples/receiver/pay.ts"),
    "Program.cs": source("examples/csharp/Program.cs", "csharp"),
    "partners.py": source("examples/python/partners.py", "python"),
    "pay.py": source("examples/python/pay.py", "python"),
    "receive.py": source("examples/python/receive.py", "python"),
    "pay.sh": source("examples/curl/pay.sh", "sh"),
    "verify.sh": source("examples/curl/verify.sh", "sh"),
  },
  "clients/partners/README.md": { example: source("clients/partners/example.ts") },
  "docs/terminals.md": { decimals: decimalsTable },
};

/** The pages that are generated as a whole. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  "docs/problems.md": problemsPage,
  "docs/states.md": statesPage,
};

/** The text of a page with these parts updated. Throws if the page has no place for one of them. */
export async function withParts(text: string, parts: Readonly<Record<string, Part>>): Promise<string> {
  let written = text;
  for (const [name, part] of Object.entries(parts)) written = withPart(written, name, await part());
  return written;
}

/** Replaces the text between the two comments of that name. */
function withPart(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the ${name}`);
  return `${before}${begin}${content}\n${end}${after}`;
}
