import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type * as TypeScript from "../../clients/partners/node_modules/typescript/lib/typescript.js";
import { clientTool } from "../support/client-tool.ts";
import { mutants, type Mutant } from "../simulation/mutants.ts";

// A mutant must break its rule by its meaning. One that does not compile would be caught by its crash, whatever the rules.
// The root's TypeScript has no stable API for this, so the client's is used.

const ts = createRequire(import.meta.url)(clientTool("typescript")) as typeof TypeScript;
const root = fileURLToPath(new URL("../../", import.meta.url));

/** TypeScript's codes of unused names, which a mutant may leave behind. */
const UNUSED = new Set([6133, 6192, 6196, 6198]);
const isFault = ({ code }: TypeScript.Diagnostic): boolean => !UNUSED.has(code);

/** One program for all mutants: each patched file stands next to its original, so that its imports are the product's. */
function patchedFiles(): ReadonlyMap<string, { readonly mutant: Mutant; readonly source: string }> {
  const patched = mutants.filter(({ file }) => file.endsWith(".ts"));
  return new Map(
    patched.map((mutant, i) => {
      const source = readFileSync(root + mutant.file, "utf8").replace(mutant.find, () => mutant.replace);
      return [root + mutant.file.replace(/\.ts$/, `.mutant-${i}.ts`), { mutant, source }];
    }),
  );
}

function faultsOf(files: ReturnType<typeof patchedFiles>): readonly string[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => readFileSync(path, "utf8")) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const host = ts.createCompilerHost(options);
  const disk = { fileExists: host.fileExists, readFile: host.readFile, getSourceFile: host.getSourceFile };
  host.fileExists = (path) => files.has(path) || disk.fileExists(path);
  host.readFile = (path) => files.get(path)?.source ?? disk.readFile(path);
  host.getSourceFile = (path, target, ...rest) => {
    const patched = files.get(path);
    return patched ? ts.createSourceFile(path, patched.source, target) : disk.getSourceFile(path, target, ...rest);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([path, { mutant }]) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].filter(isFault);
    return found.map(({ messageText }) => `${mutant.name}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  });
}

describe("the sources of the mutants", () => {
  it.each(mutants)("have the text that is replaced once: $name", ({ file, find }) => {
    expect(readFileSync(root + file, "utf8").split(find)).toHaveLength(2);
  });

  it("compile, except for unused names", () => {
    expect(faultsOf(patchedFiles())).toEqual([]);
  });

  it("do not compile with an unknown name or property, a wrong type or a wrong syntax", () => {
    const sources = {
      name: "export const one = nothing;",
      property: 'export const one = "text".nothing;',
      type: "export const one: string = 1;",
      syntax: "export const one = ;",
      none: "const one = 1;\nexport {};",
    };
    const files = Object.entries(sources).map(([name, source]) => {
      const mutant = { name, file: `shared/domain/${name}.ts`, find: "", replace: "" };
      return [root + mutant.file, { mutant, source }] as const;
    });
    const faulty = faultsOf(new Map(files)).map((fault) => fault.split(":")[0]);
    expect([...new Set(faulty)]).toEqual(["name", "property", "type", "syntax"]);
  });
});
