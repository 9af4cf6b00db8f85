import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import { alertKinds } from "../shared/domain/alert.ts";
import { retentionTable } from "../shared/domain/retention.ts";
import { describedSettings } from "../shared/config.ts";
import { logEvents } from "../shared/ports/log.ts";
import { scriptTable } from "./local/terminal/scripts.ts";
import { statesPage } from "./states-page.ts";

// `npm run docs` writes the parts of pages that repeat the code; a test compares them with the code.

const root = new URL("../", import.meta.url);

type Part = () => string | Promise<string>;

/** What each alert means and what to do about it, by the name of its place in the runbook. */
const runbookParts: Readonly<Record<string, Part>> = Object.fromEntries([
  ...Object.entries(alertKinds).map(
    ([kind, { means, toDo }]) => [`alert ${kind}`, () => `${means}\n\n**Do**: ${toDo}`] as const,
  ),
  ...Object.entries<{ means: string; routine?: true }>(logEvents).flatMap(([event, { means, routine }]) =>
    routine ? [] : [[`event ${event}`, () => means] as const],
  ),
]);

/** A line for each event of the log. */
const eventTable: Part = () =>
  [
    "| event | level | what it means | members of its own |",
    "|---|---|---|---|",
    ...Object.entries<{ level: string; means: string; members: readonly string[] }>(logEvents).map(
      ([name, { level, means, members }]) =>
        `| \`${name}\` | ${level} | ${means} | ${members.map((member) => `\`${member}\``).join(", ")} |`,
    ),
  ].join("\n");

/** A line for each setting. A setting that has a default accepts none at all. */
const settingTable: Part = () =>
  [
    "| setting | what it is | default | unit | secret |",
    "|---|---|---|---|---|",
    ...Object.entries(describedSettings).map(([name, schema]) => {
      const { means, unit = "", secret = false } = settingMeta.parse(schema.meta());
      const unset = schema.safeParse(undefined);
      const standard = unset.success ? `\`${String(unset.data)}\`` : "required";
      return `| \`${name}\` | ${means} | ${standard} | ${unit} | ${secret ? "yes" : ""} |`;
    }),
  ].join("\n");

/** A line for each kind of record that leaves. */
const retentionRows: Part = () =>
  [
    "| kind | what leaves | after | at least | because |",
    "|---|---|---|---|---|",
    ...Object.entries(retentionTable).map(
      ([kind, { days, least, leaves, because }]) =>
        `| \`${kind}\` | ${leaves} | ${days} days | ${least} days | ${because} |`,
    ),
  ].join("\n");

const settingMeta = z.object({ means: z.string(), unit: z.string().optional(), secret: z.boolean().optional() });

const clientExample: Part = async () =>
  `\`\`\`ts\n${await readFile(new URL("clients/partners/example.ts", root), "utf8")}\`\`\``;

/** The parts of pages that repeat the code: by page, and by the name in the two comments around each. */
const repeated: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  "docs/running.md": { scripts: scriptTable },
  "docs/operations.md": { events: eventTable },
  "docs/runbook.md": runbookParts,
  "docs/settings.md": { settings: settingTable },
  "docs/tables.md": { retention: retentionRows },
  "clients/partners/README.md": { example: clientExample },
};

/** The pages that repeat something of the code. */
export const repeatingPages: readonly string[] = Object.keys(repeated);

/** Such a page with its generated parts as they should be. */
export async function current(page: string, text: string): Promise<string> {
  let written = text;
  for (const [name, part] of Object.entries(repeated[page] ?? {})) written = withPart(written, name, await part());
  return written;
}

/** The text with what is between two comments of that name replaced. */
function withPart(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the ${name}`);
  return `${before}${begin}${content}\n${end}${after}`;
}

if (import.meta.main) {
  await writeFile(new URL("docs/states.md", root), statesPage());
  for (const page of repeatingPages) {
    const url = new URL(page, root);
    await writeFile(url, await current(page, await readFile(url, "utf8")));
  }
}
