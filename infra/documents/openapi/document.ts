import { createDocument, type CreateDocumentOptions } from "zod-openapi";
import type { ApiName } from "../../../shared/edge/auth/authenticate.ts";
import { apiPaths } from "../../../shared/edge/http/api-paths.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";
import { apis, securitySchemes, type OpenApiVersion } from "./apis.ts";
import { contractsOf, urlTemplateIn, type ImportedApi } from "./imported-apis.ts";
import { operationOf } from "./operation.ts";
import { problemExamples } from "./problems.ts";
import { webhooks } from "./webhooks.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** An API's document for people and clients, from the contracts of its endpoints. */
export const openApiDocument = (name: ApiName, version: "3.1.1"): OpenApiDocument =>
  written({ name, title: apis[name].title, path: apiPaths[name].slice(1), contracts: contractsOf(name) }, version);

/**
 * The document that API Management imports. An import supports named schemas and one example each, but no webhooks. The document has no
 * servers: their relative addresses would have no base in an import.
 */
export const importedDocument = (imported: ImportedApi): OpenApiDocument => written(imported, "3.0.3");

function written(of: Omit<ImportedApi, "id">, version: OpenApiVersion): OpenApiDocument {
  const { name, title, contracts } = of;
  const api = apis[name];
  const modern = version === "3.1.1";
  const calledBack = modern && name === "partners" ? { webhooks } : {};
  const groups = { ...api.groups, ...("webhooks" in calledBack && { Webhooks: "The calls to your server." }) };
  const document = createDocument(
    {
      openapi: version,
      info: {
        title,
        version: api.version,
        description: (modern ? api.guide : undefined) ?? api.description,
        license: { name: "MIT", url: "https://opensource.org/license/mit" },
      },
      ...(modern && { servers: [{ url: apiPaths[name] || "/", description: "On the gateway's host." }] }),
      security: [Object.fromEntries(api.security.map((scheme) => [scheme, []]))],
      tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
      paths: Object.fromEntries(
        contracts.map((contract) => [
          urlTemplateIn(of, contract),
          { [contract.method.toLowerCase()]: operationOf(contract, api, version) },
        ]),
      ),
      ...calledBack,
      components: {
        ...(modern && { examples: problemExamples(contracts) }),
        securitySchemes: schemesOf(name, contracts),
      },
    },
    optionsOf(modern),
  );
  return modern ? document : (unwrapped(document) as OpenApiDocument);
}

/** The authentication schemes of the operations. */
function schemesOf(name: ApiName, contracts: readonly Contract[]) {
  const proofs: readonly string[] = [
    ...apis[name].security,
    ...(contracts.some(({ basic }) => basic) ? ["basic"] : []),
  ];
  return Object.fromEntries(Object.entries(securitySchemes).filter(([scheme]) => proofs.includes(scheme)));
}

/** For 3.0 the generator wraps each reference in an `allOf` of its own. The wrapper has no meaning, so it is removed. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== "object" || value === null) return value;
  const { allOf, ...beside } = value as { readonly allOf?: readonly unknown[] };
  if (allOf?.length === 1 && Object.keys(beside).length === 0) return unwrapped(allOf[0]);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unwrapped(part)]));
}

const optionsOf = (isModern: boolean): CreateDocumentOptions => ({
  override: ({ jsonSchema }) => {
    // Callers must accept members that they do not know. The integer limits are those of JSON numbers anyway.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    // OpenAPI 3.0 has no examples in a schema.
    if (!isModern) delete jsonSchema.examples;
    // Generators read a number without a format as a 32-bit float, which would change large amounts.
    if (jsonSchema.type === "number") jsonSchema.format = "double";
    // Generated clients must accept an unknown value, and some would send the names of their own enumerations. An import ignores the list.
    if ("x-extensible-enum" in jsonSchema) {
      delete jsonSchema.enum;
      if (!isModern) delete jsonSchema["x-extensible-enum"];
    }
  },
});

/** A document's text in its file. */
export const asFile = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`;
