import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newScript, runScript } from "../../infra/tools/script.ts";
import { importsIn, root } from "./rooms.ts";

// `npm run lines` counts the lines of code in git, by room. Blank lines, lines with only a comment and generated files do not count.

const generated = /(?:^|\/)generated\/|schema\.ts$|^docs\//;
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

/** The app's file, and everything that it imports. */
function reachedBy(app: string): ReadonlySet<string> {
  const imports = Map.groupBy(importsIn(["functions", "shared"]), ({ from }) => from);
  const reached = new Set([app]);
  for (const file of reached) for (const { to } of imports.get(file) ?? []) reached.add(to);
  return reached;
}
const ofApp = reachedBy("functions/app.ts");

/** The rooms. A file belongs to the first room that matches. */
const rooms: readonly (readonly [string, (file: string) => boolean])[] = [
  ["proof", (file) => /^test\/|^packages\/.*\/test\/|^vitest/.test(file)],
  ["product", (file) => file.startsWith("functions/") || ofApp.has(file)],
  ["operator's tools", (file) => /^infra\/operator\/|^shared\//.test(file)],
  ["local cloud", (file) => file.startsWith("packages/")],
  ["given to Azure", (file) => file.startsWith("infra/azure/")],
  ["document writers", (file) => file.startsWith("infra/")],
  ["clients, examples", (file) => /^(?:clients|examples)\//.test(file)],
];

function print(): void {
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const files = listed.filter((file) => existsSync(join(root, file))); // git lists a deleted file until the deletion is staged
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const row = (name: string, figures: readonly (number | string)[]) =>
    console.log(name.padEnd(18) + figures.map((figure) => figure.toLocaleString("en").padStart(12)).join(""));
  row("room", ["files", "TypeScript", "others"]);
  const all = [0, 0, 0];
  const code = files.filter((file) => !generated.test(file));
  const roomOf = (file: string) => rooms.find(([, holds]) => holds(file))?.[0];
  for (const [room] of rooms) {
    const held = code.filter((file) => roomOf(file) === room);
    const ofScripts = held.filter((file) => isScript.test(file)).map((file) => linesOf(withoutComments(read(file))));
    const ofOthers = held.flatMap((file) => {
      const comment = comments.find(([language]) => language.test(file))?.[1];
      return comment ? [linesOf(read(file).replaceAll(comment, lineEndsOf))] : [];
    });
    const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);
    const figures = [ofScripts.length + ofOthers.length, sum(ofScripts), sum(ofOthers)];
    row(room, figures);
    for (const [i, figure] of figures.entries()) all[i] = (all[i] ?? 0) + figure;
  }
  row("all", all);
  const pages = files.filter((file) => /^docs\/.*\.md$|^(?:README|CONTRIBUTING)\.md$/.test(file));
  const words = pages.map(read).join("\n").split(/\s+/).length;
  console.log(`${words.toLocaleString("en")} words in docs, README.md and CONTRIBUTING.md`);
}

export const script = newScript("npm run lines --", "Counts the lines of code of this repository, by room.").action(
  print,
);

if (import.meta.main) await runScript(script);
