import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newScript, runScript } from "../../infra/tools/script.ts";
import { root } from "./rooms.ts";
import budgets from "./budgets.json" with { type: "json" };

// `npm run lines` counts the lines of code, the lines of proof and the words of pages in git, by room. Blank lines, lines with only a comment
// and generated files do not count. A change that needs more than a budget raises it in budgets.json, in a commit that says why.

const generated = /(?:^|\/)generated\/|schema\.ts$/;
const isScript = /\.(?:tsx?|c?js)$/;

/** Comments of the other languages. */
const comments: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:bicep|bicepparam|cs|kql)$/, /\/\*[^]*?\*\/|^\s*\/\/.*/gm],
  [/\.css$/, /\/\*[^]*?\*\//g],
  [/\.(?:html|xml|mjml)$/, /<!--[^]*?-->/g],
];

/** A comment, a string, a regular expression, a bracket that may open or close a template's hole, or the text between them. */
const inCode =
  /\/\/.*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=(?:[(,=:[!&|?{};+*%~^]|=>|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/|[^"'`{}/]+|[^]/y;
const inTemplate = /(?:\\[^]|\$(?!\{)|[^`\\$])+|\$\{|`/y;

/** A script with its comments blanked out. */
function withoutComments(source: string): string {
  let kept = "";
  const open: string[] = []; // templates, by their sign, and brackets
  for (let at = 0; at < source.length;) {
    const isText = open.at(-1) === "`";
    const pattern = isText ? inTemplate : inCode;
    pattern.lastIndex = at;
    const [piece = ""] = pattern.exec(source) ?? [];
    if (piece === "") throw new Error(`cannot be read: ${source.slice(at, at + 40)}`);
    if (piece === (isText ? "`" : "}")) open.pop();
    else if ((isText ? ["${"] : ["`", "{"]).includes(piece)) open.push(piece);
    kept += !isText && /^\/[/*]/.test(piece) ? lineEndsOf(piece) : piece;
    at += piece.length;
  }
  return kept;
}

const lineEndsOf = (text: string): string => text.replaceAll(/[^\n]/g, "");
const linesOf = (text: string): number => text.split("\n").filter((line) => /\S/.test(line)).length;

const kinds = ["code", "proof", "words"] as const;
type Counts = Record<(typeof kinds)[number], number>;

/** The budget of each room, by the folder that is the room. The last one holds the remaining files. */
const rooms: Readonly<Record<string, Partial<Counts>>> = budgets;
const REST = "the rest";

/** Files that prove something: all tests and their helpers. */
const isProof = (file: string): boolean => /^test\/|\/test\/|^vitest/.test(file);
const isPage = (file: string): boolean => file.endsWith(".md") && !generatedPages.has(file);
const generatedPages: ReadonlySet<string> = new Set(["docs/states.md", "docs/problems.md"]);

/** The counts that a file adds to its room. Undefined for a file that does not count. */
function countOf(file: string): Partial<Counts> | undefined {
  const text = () => readFileSync(join(root, file), "utf8");
  if (isPage(file)) return { words: text().split(/\s+/).filter(Boolean).length };
  const comment = comments.find(([language]) => language.test(file))?.[1];
  if (generated.test(file) || (!isScript.test(file) && !comment)) return undefined;
  const lines = linesOf(comment ? text().replaceAll(comment, lineEndsOf) : withoutComments(text()));
  return isProof(file) ? { proof: lines } : { code: lines };
}

/** The counts of every room. */
function countRooms(): ReadonlyMap<string, Counts> {
  const counted = new Map<string, Counts>(Object.keys(rooms).map((room) => [room, { code: 0, proof: 0, words: 0 }]));
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  for (const file of listed) {
    if (file === "" || !existsSync(join(root, file))) continue; // git lists a deleted file until the deletion is staged
    const own = counted.get(Object.keys(rooms).find((room) => file.startsWith(`${room}/`)) ?? REST);
    for (const [kind, count] of Object.entries(countOf(file) ?? {})) if (own) own[kind as keyof Counts] += count;
  }
  return counted;
}

/** Prints each room beside its budget. Returns whether every room is within its own. */
function printRooms(): boolean {
  const counted = countRooms();
  const all: Counts = { code: 0, proof: 0, words: 0 };
  const shown = (count: number, budget?: number) =>
    budget === undefined ? "" : `${count.toLocaleString("en")} of ${budget.toLocaleString("en")}`;
  const row = (name: string, cells: readonly string[]) =>
    console.log(name.padEnd(22) + cells.map((cell) => cell.padStart(20)).join(""));
  row("", kinds);
  const over: string[] = [];
  for (const [room, counts] of counted) {
    const budget = rooms[room] ?? {};
    row(
      room,
      kinds.map((kind) => shown(counts[kind], budget[kind])),
    );
    for (const kind of kinds) {
      all[kind] += counts[kind];
      if (counts[kind] > (budget[kind] ?? 0))
        over.push(`${room} has more ${kind} than its budget in test/support/budgets.json.`);
    }
  }
  row(
    "all",
    kinds.map((kind) => all[kind].toLocaleString("en")),
  );
  const house = [...counted].filter(([room]) => !room.startsWith("packages/")).map(([, counts]) => counts);
  const [code, proof] = [house.reduce((sum, one) => sum + one.code, 0), house.reduce((sum, one) => sum + one.proof, 0)];
  console.log(`Without the packages, ${Math.round((100 * code) / (code + proof))} % of the lines are code.`);
  for (const sentence of over) console.error(sentence);
  return over.length === 0;
}

export const script = newScript(
  "npm run lines --",
  "Counts lines and words by room. Exits with 1 if a room is above its budget.",
).action(() => {
  if (!printRooms()) process.exitCode = 1;
});

if (import.meta.main) await runScript(script);
