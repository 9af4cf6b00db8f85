import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Declaration } from "./declaration.ts";
import type { ScopeName } from "./policies/policy.ts";
import { toFragment, toPolicyDocument, type PolicyDocument } from "./policy-document.ts";
import { readPolicyXml, type NamedValues, type PolicyElement } from "./policy-xml.ts";

/** The policies of all scopes, by the identifiers of their subjects. */
export interface PolicyFiles {
  readonly global: PolicyDocument;
  readonly products: ReadonlyMap<string, PolicyDocument>;
  readonly apis: ReadonlyMap<string, PolicyDocument>;
  readonly operations: ReadonlyMap<string, PolicyDocument>;
  readonly fragments: ReadonlyMap<string, readonly PolicyElement[]>;
}

/**
 * Reads `global.xml`, `products/`, `apis/`, `policies/` and `fragments/`, one after the other, so that of several faults it always reports
 * the same one. Throws `PolicyFault`, and also for a file that is missing.
 */
export async function readPolicyFiles(
  directory: string,
  { apis }: Declaration,
  namedValues: NamedValues,
): Promise<PolicyFiles> {
  const read = async (file: string) => readPolicyXml(await readFile(join(directory, file), "utf8"), file, namedValues);
  const documents = async (folder: string, ids: Iterable<string>, scope: ScopeName) => {
    const found = new Map<string, PolicyDocument>();
    for (const id of ids) found.set(id, toPolicyDocument(await read(`${folder}/${id}.xml`), scope));
    return found;
  };
  const fragments = new Map<string, readonly PolicyElement[]>();
  for (const file of (await readdir(join(directory, "fragments"))).toSorted()) {
    fragments.set(basename(file, ".xml"), toFragment(await read(`fragments/${file}`)));
  }
  const products = new Set(apis.flatMap(({ product }) => product ?? []));
  const operations = apis.flatMap((api) => api.operations);
  return {
    global: toPolicyDocument(await read("global.xml"), "global"),
    products: await documents("products", products, "product"),
    apis: await documents("apis", apis.map(idOf), "api"),
    operations: await documents("policies", operations.map(idOf), "operation"),
    fragments,
  };
}

const idOf = ({ id }: { readonly id: string }) => id;
