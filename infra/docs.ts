import { readFile, writeFile } from "node:fs/promises";
import { scriptTable } from "./local/terminal/scripts.ts";
import { isFinal, paymentStates } from "../shared/domain/payment/payment.ts";
import { paymentEvents, transitions, type Rule } from "../shared/domain/payment/transitions.ts";

// `npm run docs` writes what the docs repeat of the code; a test holds them to it.

const root = new URL("../", import.meta.url);

/** Every edge of the table: one line a rule. */
const edges = paymentStates.flatMap((from) =>
  paymentEvents.flatMap((event) =>
    [transitions[from][event] ?? []].flat().map((rule: Rule) => ({ from, event, ...rule })),
  ),
);

/** The table of a payment's life as a diagram and as rows. */
export function statesPage(): string {
  const moves = edges.filter((edge) => edge.from !== edge.to);
  const drawn = [...new Set(moves.map(({ from, to }) => `${from} ${to}`))].map((pair) => {
    const [from, to] = pair.split(" ");
    const events = moves.filter((edge) => edge.from === from && edge.to === to).map((edge) => edge.event);
    return `  ${from} --> ${to}: ${[...new Set(events)].join(", ")}`;
  });
  const final = paymentStates.filter(isFinal).map((state) => `  ${state} --> [*]`);
  const rows = edges.map(
    ({ from, event, to, when, reason }) =>
      `| ${from} | ${event} | ${to} | ${(when ?? []).join(" and ")} | ${reason ?? ""} |`,
  );
  return [
    "# A payment's states",
    "",
    "Generated from [shared/domain/payment/transitions.ts](../shared/domain/payment/transitions.ts) by `npm run docs`. Of several rows for one state and event the",
    "first whose guards hold is taken; a pair that is absent is no transition.",
    "",
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> pending: request",
    ...drawn,
    ...final,
    "```",
    "",
    "| from | event | to | when | reason |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** The README with what it repeats as it is: the autopilot's scripts, and the client's example. */
export async function currentReadme(readme: string): Promise<string> {
  const example = await readFile(new URL("clients/partners/example.ts", root), "utf8");
  return withPart(withPart(readme, "scripts", scriptTable()), "example", `\`\`\`ts\n${example}\`\`\``);
}

/** The page with what stands between two comments of that name replaced. */
function withPart(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the README has no place for the ${name}`);
  return `${before}${begin}${content}\n${end}${after}`;
}

if (import.meta.main) {
  await writeFile(new URL("docs/states.md", root), statesPage());
  const readme = new URL("README.md", root);
  await writeFile(readme, await currentReadme(await readFile(readme, "utf8")));
}
