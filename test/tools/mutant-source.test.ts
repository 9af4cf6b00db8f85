import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mutants } from "../simulation/mutants.ts";
import { root } from "../support/rooms.ts";

// A mutant must break its rule by its meaning. A mutant that does not compile would be caught by its crash, whatever the rules.

const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
/** TypeScript's codes of unused names, which a mutant may leave behind. */
const UNUSED = new Set(["TS6133", "TS6192", "TS6196", "TS6198"]);
const FOLDERS = ["clients", "functions", "infra", "packages", "shared", "test"];

/** A copy of the sources, next to the patched files, so that their imports are the product's. */
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "mutant-sources-"));
  const isOwn = (path: string) => !/[/\\](?:node_modules|dist)$/.test(path);
  for (const folder of FOLDERS)
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: (path) => isOwn(path) });
  cpSync(join(root, "package.json"), join(copy, "package.json"));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The compiler's complaints about the files. Their names are relative to the root of the sources. */
function faultsOf(files: ReadonlyMap<string, string>): readonly string[] {
  for (const [path, source] of files) writeFileSync(join(copy, path), source);
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")) as object & {
    readonly compilerOptions: object;
  };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [...files.keys()] }));
  const found = compiled();
  return [...found.matchAll(/^(\S+)\(\d+,\d+\): error (TS\d+): (.*)$/gm)]
    .filter(([, , code = ""]) => !UNUSED.has(code))
    .map(([, path, , message]) => `${path}: ${message}`);
}

/** The compiler's output. It exits with 1 or 2 if it finds errors. */
function compiled(): string {
  try {
    return execFileSync(process.execPath, [compiler, "-p", ".", "--pretty", "false"], { cwd: copy, encoding: "utf8" });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

describe("the sources of the mutants", () => {
  it.each(mutants)("contain the replaced text once: $name", ({ file, find }) => {
    expect(readFileSync(join(root, file), "utf8").split(find)).toHaveLength(2);
  });

  it("compile, except for unused names", () => {
    const patched = mutants
      .filter(({ file }) => file.endsWith(".ts"))
      .map(({ file, find, replace }, i) => {
        const source = readFileSync(join(root, file), "utf8").replace(find, () => replace);
        return [file.replace(/\.ts$/, `.mutant-${i}.ts`), source] as const;
      });
    expect(faultsOf(new Map(patched))).toEqual([]);
  });

  it("do not compile with an unknown name or property, a wrong type or a wrong syntax", () => {
    const sources = {
      name: "export const one = nothing;",
      property: 'export const one = "text".nothing;',
      type: "export const one: string = 1;",
      none: "const one = 1;\nexport {};",
      syntax: "export const one = ;",
    };
    const faulty = Object.entries(sources).filter(
      ([name, source]) => faultsOf(new Map([[`shared/domain/${name}.ts`, source]])).length > 0,
    );
    expect(faulty.map(([name]) => name)).toEqual(["name", "property", "type", "syntax"]);
  });
});
