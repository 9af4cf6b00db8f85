import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readDeclaration, readNamedValues, readPolicyFiles } from "../../../packages/local-azure/gateway/gateway.ts";
import { skippedIf } from "../../support/skipped.ts";
import { objections, schemasArePresent } from "./microsofts-schemas.ts";

const root = resolve(import.meta.dirname, "../../..");
const directory = join(root, "infra/azure/apim");

const xmlFiles = readdirSync(directory, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".xml"))
  .toSorted();
const read = (file: string) => readFileSync(join(directory, file), "utf8");
const stems = (folder: string) =>
  xmlFiles.filter((file) => file.startsWith(`${folder}/`)).map((file) => basename(file, ".xml"));

const declaration = await readDeclaration(directory);
const local = await readNamedValues(directory);
const production = await readNamedValues(directory, "production");
const namedValues: Record<string, string> = {
  ...local,
  ...Object.fromEntries(declaration.namedValues.filter(({ secret }) => secret).map(({ name }) => [name, "secret"])),
};

describe("the policy files", () => {
  it.each(xmlFiles)("%s fits the 128 Ki characters that Azure accepts", (file) => {
    expect(read(file).length).toBeLessThanOrEqual(128 * 1024);
  });

  it("are one for each operation and each API, and no others", () => {
    const operations = declaration.apis.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(stems("policies").toSorted()).toEqual(operations.toSorted());
    expect(stems("apis").toSorted()).toEqual(declaration.apis.map(({ id }) => id).toSorted());
  });

  it("front each function of a folder", () => {
    const fronted = declaration.apis.flatMap(({ operations }) => operations.map(({ id }) => `${id}.ts`));
    for (const folder of ["consumer", "partners", "terminals", "probes"]) {
      const functions = readdirSync(join(root, "functions", folder), { encoding: "utf8" });
      expect(functions.filter((file) => !fronted.includes(file))).toEqual([]);
    }
  });

  it("include each fragment somewhere", () => {
    const included = xmlFiles.flatMap((file) =>
      [...read(file).matchAll(/<include-fragment fragment-id="([\w-]+)"/g)].map(([, id]) => id),
    );
    expect(new Set(included)).toEqual(new Set(stems("fragments")));
  });

  it("use the declared named values, which the local file sets except for the secrets", () => {
    const used = xmlFiles.flatMap((file) => [...read(file).matchAll(/\{\{([\w.-]+)\}\}/g)].map(([, name]) => name));
    expect(new Set(used)).toEqual(new Set(declaration.namedValues.map(({ name }) => name)));
    const open = declaration.namedValues.filter(({ secret }) => !secret).map(({ name }) => name);
    expect(new Set(Object.keys(local))).toEqual(new Set(open));
  });

  it("set each limit in production too, different from here, and the README says why", () => {
    const limits = declaration.namedValues.filter(({ secret, perEnvironment }) => !secret && !perEnvironment);
    expect(limits.length).toBeGreaterThan(0);
    expect(new Set(Object.keys(production))).toEqual(new Set(limits.map(({ name }) => name)));
    const readme = read("README.md");
    for (const { name } of limits) {
      expect(production[name]).toMatch(/^[1-9]\d*$/);
      expect({ [name]: production[name] }).not.toEqual({ [name]: local[name] });
      const [, , aMinute, , reason] =
        readme
          .split("\n")
          .find((line) => line.startsWith(`| \`${name}\` |`))
          ?.split("|") ?? [];
      expect({ [name]: aMinute?.trim() }).toEqual({ [name]: production[name] });
      expect(reason?.trim().length).toBeGreaterThan(40);
    }
  });

  it("let a terminal's poll wait its twenty seconds", async () => {
    const { operations } = await readPolicyFiles(directory, declaration, namedValues);
    const [forward] = operations.get("next-message")?.sections.backend ?? [];
    expect(Number(forward?.attributes.get("timeout"))).toBeGreaterThan(20);
  });

  it("declare the type of every body", () => {
    const withBody = declaration.apis.flatMap(({ operations }) => operations.filter(({ method }) => method !== "GET"));
    expect(withBody.length).toBeGreaterThan(0);
    for (const { id, requestContentType } of withBody)
      expect({ id, requestContentType }).toEqual({ id, requestContentType: "application/json" });
  });
});

const because = skippedIf(!schemasArePresent, "Microsoft's schemas are not beside the project, in ../shared/data");

describe.skipIf(!schemasArePresent)(`Microsoft's schemas${because}`, () => {
  it.each(xmlFiles)("accept every policy of %s", (file) => {
    const filled = read(file).replaceAll(/\{\{([\w.-]+)\}\}/g, (_, name: string) => namedValues[name] ?? "");
    expect(objections(filled)).toEqual([]);
  });

  it("would reject an unknown attribute", () => {
    expect(objections('<policies><inbound><rate-limit-by-key calls="1" /></inbound></policies>')).toHaveLength(1);
  });
});
