import { readFile, writeFile } from "node:fs/promises";
import { newScript, runScript } from "../../infra/tools/script.ts";
import { assumed, costOfMonth, measured, parts, type MonthlyCost } from "./deployment-cost.ts";
import { prices, type Price } from "./prices.ts";

// `npm run costs` writes the tables of docs/costs.md; a test compares them.

const costsPage = new URL("../../docs/costs.md", import.meta.url);

const dollars = (usd: number): string => Math.round(usd).toLocaleString("en");
const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(columns), `|${"---|".repeat(columns.length)}`, ...rows.map(line)].join("\n");

const months = [
  ["`dev`, idle", "dev", 0, 0],
  ["`dev` with one terminal", "dev", 1, 0],
  ["`prod`, idle", "prod", 0, 0],
  ["`prod`, 10⁴ payments, 100 terminals", "prod", 100, 1e4],
  ["`prod`, 10⁶ payments, 1,000 terminals", "prod", 1_000, 1e6],
  ["`prod`, 10⁸ payments, 30,000 terminals", "prod", 30_000, 1e8],
] as const;

const cells = (cost: MonthlyCost, payments: number): string[] => [
  ...parts.map((part) => dollars(cost[part])),
  `**${dollars(cost.all)}**`,
  payments === 0 ? "" : ((100 * cost.all) / payments).toPrecision(2).replace(/\.0$/, ""),
];

const tables: Readonly<Record<string, () => string>> = {
  months: () =>
    table(
      ["a month of", ...parts, "**all**", "cents a payment"],
      months.map(([what, environment, terminals, payments]) => [
        what,
        ...cells(costOfMonth(environment, terminals, payments), payments),
      ]),
    ),
  counts: () =>
    table(
      ["count", "", ""],
      [
        ...Object.entries(measured).map(([name, value]) => [`\`${name}\``, String(value), "measured"]),
        ...Object.entries(assumed).map(([name, value]) => [`\`${name}\``, String(value), "assumed"]),
      ],
    ),
  prices: () =>
    table(
      ["meter", "US dollars, where it costs first", "for", "source", "dated", "verified"],
      Object.values<Price>(prices).map(({ meter, per, tiers, source, dated, isAssumed }) => [
        meter,
        String(tiers.find(({ usd }) => usd > 0)?.usd ?? 0),
        per.toLocaleString("en"),
        source,
        dated,
        isAssumed ? "**no**" : "found",
      ]),
    ),
};

/** The page with up-to-date tables. */
export function currentCosts(page: string): string {
  let written = page;
  for (const [name, content] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
    const [before, rest] = written.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined) throw new Error(`the page has no place for the ${name}`);
    written = `${before}${begin}${content()}\n${end}${after}`;
  }
  return written;
}

export const script = newScript("npm run costs --", "Writes the tables of docs/costs.md.").action(async () =>
  writeFile(costsPage, currentCosts(await readFile(costsPage, "utf8"))),
);

if (import.meta.main) await runScript(script);
