import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/endpoints.ts";
import { asFile, importedDocument, openApiDocument } from "../../../infra/documents/openapi/document.ts";
import { importedApis } from "../../../infra/documents/openapi/imported-apis.ts";
import { readDeclaration } from "../../../packages/local-azure/gateway/gateway.ts";
import { examples } from "../../../infra/documents/openapi/examples.ts";
import { endpointPolicies, withLogLevels } from "../../../infra/documents/openapi/gateway-policies.ts";
import { knownMethods } from "../../../infra/documents/openapi/known-methods.ts";
import { apiNames } from "../../support/api-documents.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const contracts = endpoints.map(({ contract }) => [contract.name, contract] as const);

describe.each(apiNames)("the document of %s (else: npm run openapi)", (name) => {
  it("matches the endpoints' contracts", () => {
    expect(read(`docs/openapi/${name}.json`)).toBe(asFile(openApiDocument(name, "3.1.1")));
  });

  it("passes Redocly's recommended rules", async () => {
    expect(await objectionsTo(`docs/openapi/${name}.json`)).toEqual([]);
  });
});

describe.each(importedApis)("the imported document of $id (else: npm run openapi)", (imported) => {
  const file = `infra/azure/apim/openapi/${imported.id}.json`;

  it("matches the endpoints' contracts", () => {
    expect(read(file)).toBe(asFile(importedDocument(imported)));
  });

  it("passes Redocly's recommended rules, except that it names no server", async () => {
    expect(await objectionsTo(file, { "no-empty-servers": "off" })).toEqual([]);
  });
});

it("the gateway's APIs are the imported ones, with the same paths, and the handwritten one", async () => {
  const { apis } = await readDeclaration(fileURLToPath(new URL("infra/azure/apim", root)));
  const declared = apis.filter(({ id }) => id !== "probes").map(({ id, path }) => ({ id, path }));
  expect(declared).toEqual(importedApis.map(({ id, path }) => ({ id, path })));
});

async function objectionsTo(file: string, rules: Record<string, "off"> = {}): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], rules });
  const problems = await lintFromString({ source: read(file), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

it("the gateway's policies and the host's log levels are those of the endpoints (else: npm run openapi)", () => {
  for (const [name, policy] of endpointPolicies()) expect(read(`infra/azure/apim/policies/${name}.xml`)).toBe(policy);
  expect(read("host.json")).toBe(withLogLevels(read("host.json")));
});

it("the gateway's table of methods is that of the endpoints (else: npm run openapi)", () => {
  expect(read("infra/azure/apim/fragments/known-methods.xml")).toBe(knownMethods());
});

it("a document without an operationId would be rejected", async () => {
  const nameless = openApiDocument("consumer", "3.1.1");
  delete nameless.paths?.["/landing-page/{landing_page_id}"]?.get?.operationId;
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: asFile(nameless), config });
  expect(problems.map(({ ruleId }) => ruleId)).toEqual(["operation-operationId"]);
});

describe("every operation", () => {
  it.each(contracts)(
    "(%s) has a description, and an example of each body that its own schema accepts",
    (_, contract) => {
      expect(contract.summary).toMatch(/^[A-Z]/);
      expect(contract.description).toMatch(/\.$/);
      const { name, body, successes } = contract;
      if (body) expect(body.schema.safeParse(examples[name]?.body)).toMatchObject({ success: true });
      for (const [status, success] of Object.entries(successes)) {
        if ("body" in success)
          expect(success.body.safeParse(examples[name]?.[status])).toMatchObject({ success: true });
      }
    },
  );
});

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The members without a description, by their paths. */
const wordless = (schema: Schema, path: string): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const here = `${path}.${name}`;
    const isSaid = member.description !== undefined || member.$ref !== undefined;
    return [...(isSaid ? [] : [here]), ...wordless(member, here)];
  }),
  ...(schema.items ? wordless(schema.items, path) : []),
];

it.each(apiNames)("every member of the %s document's bodies has a description", (name) => {
  const schemas = Object.entries(openApiDocument(name, "3.1.1").components?.schemas ?? {}) as [string, Schema][];
  expect(schemas.length).toBeGreaterThan(3);
  expect(schemas.flatMap(([id, schema]) => wordless(schema, id))).toEqual([]);
});

/** The parts of a schema that generators handle badly: a type without a name, a closed list of values, a float of 32 bits. */
const fragile = (schema: unknown, path: string): string[] => {
  if (typeof schema !== "object" || schema === null) return [];
  const isInner = path.includes(".");
  const found = Object.keys(schema).filter(
    (key) => ["enum", "anyOf", "oneOf"].includes(key) || (isInner && ["properties", "x-extensible-enum"].includes(key)),
  );
  if ("type" in schema && schema.type === "number" && !("format" in schema)) found.push("a number without a format");
  const within = "properties" in schema ? (schema.properties as object) : schema;
  return [
    ...found.map((key) => `${path} has ${key}`),
    ...Object.entries(within).flatMap(([name, part]) => fragile(part, `${path}.${name}`)),
  ];
};

it.each(["partners", "consumer"] as const)(
  "generators find a name for each type of the %s document, and no closed list",
  (name) => {
    const schemas = Object.entries(openApiDocument(name, "3.1.1").components?.schemas ?? {});
    expect(schemas.flatMap(([id, schema]) => fragile(schema, id))).toEqual([]);
    expect(fragile({ properties: { status: { enum: ["open"] } } }, "Day")).toEqual(["Day.status has enum"]);
  },
);
