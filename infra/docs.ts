import { readFile, writeFile } from "node:fs/promises";
import { alertKinds } from "../shared/domain/alert.ts";
import { scriptTable } from "./local/terminal/scripts.ts";
import { statesPage } from "./states-page.ts";

// `npm run docs` writes the parts of the docs that repeat the code; a test compares them with the code.

const root = new URL("../", import.meta.url);

/** The README with its generated parts as they should be: the autopilot's scripts, and the client's example. */
export async function currentReadme(readme: string): Promise<string> {
  const example = await readFile(new URL("clients/partners/example.ts", root), "utf8");
  return withPart(withPart(readme, "scripts", scriptTable()), "example", `\`\`\`ts\n${example}\`\`\``);
}

/** The operator's page with the current kinds of alerts. */
export const currentOperations = (page: string): string => withPart(page, "alerts", alertTable());

const alertTable = (): string =>
  [
    "| alert | what it means | what to do |",
    "|---|---|---|",
    ...Object.entries(alertKinds).map(([kind, { means, toDo }]) => `| \`${kind}\` | ${means} | ${toDo} |`),
  ].join("\n");

/** The page with the text between two comments of that name replaced. */
function withPart(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the ${name}`);
  return `${before}${begin}${content}\n${end}${after}`;
}

if (import.meta.main) {
  await writeFile(new URL("docs/states.md", root), statesPage());
  const readme = new URL("README.md", root);
  await writeFile(readme, await currentReadme(await readFile(readme, "utf8")));
  const operations = new URL("docs/operations.md", root);
  await writeFile(operations, currentOperations(await readFile(operations, "utf8")));
}
