import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/endpoints.ts";
import { asFile, openApiDocument } from "../../../infra/openapi/document.ts";
import { examples } from "../../../infra/openapi/examples.ts";
import { apiNames } from "../../support/api-documents.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const contracts = endpoints.map(({ contract }) => [contract.name, contract] as const);

describe.each(apiNames)("the documents of %s (else: npm run openapi)", (name) => {
  it("say what the endpoints' contracts say", () => {
    expect(read(`infra/apim/openapi/${name}.json`)).toBe(asFile(openApiDocument(name, "3.0.3")));
    expect(read(`docs/openapi/${name}.json`)).toBe(asFile(openApiDocument(name, "3.1.1")));
  });

  it.each([
    ["infra/apim/openapi", { "no-empty-servers": "off" }], // an import has none
    ["docs/openapi", {}],
  ] as const)("in %s have nothing that Redocly's recommended rules object to", async (folder, rules) => {
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source: read(`${folder}/${name}.json`), config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });
});

it("a document without an operationId would be objected to", async () => {
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
