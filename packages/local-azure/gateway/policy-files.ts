import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Declaration } from "./declaration.ts";
import type { ScopeName } from "./policies/policy.ts";
import { PolicyFault } from "./policy-fault.ts";
import { toFragment, toPolicyDocument, type PolicyDocument } from "./policy-document.ts";
import { readPolicyXml, type NamedValues, type PolicyElement } from "./policy-xml.ts";

/** The policies of all scopes, by the identifiers of their products, APIs, operations and fragments. */
export interface PolicyFiles {
  readonly global: PolicyDocument;
  readonly products: ReadonlyMap<string, PolicyDocument>;
  readonly apis: ReadonlyMap<string, PolicyDocument>;
  readonly operations: ReadonlyMap<string, PolicyDocument>;
  readonly fragments: ReadonlyMap<string, readonly PolicyElement[]>;
}

/**
 * Reads `global.xml`, `products/`, `apis/`, `policies/` and `fragments/`, one after the other, so that it always reports the same one of
 * several faults. Throws `PolicyFault`, also for a fragment that nothing includes, because compilation would not find its faults. Throws
 * for a missing file.
 */
export async function readPolicyFiles(
  directory: string,
  { apis, namedValues: declared }: Declaration,
  namedValues: NamedValues,
): Promise<PolicyFiles> {
  const open = new Set(declared.filter(({ secret }) => !secret).map(({ name }) => name));
  const isSecret = (name: string) => !open.has(name);
  const read = async (file: string) =>
    readPolicyXml(await readFile(join(directory, file), "utf8"), { file, namedValues, isSecret });
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
  const files = {
    global: toPolicyDocument(await read("global.xml"), "global"),
    products: await documents("products", products, "product"),
    apis: await documents("apis", apis.map(idOf), "api"),
    operations: await documents("policies", operations.map(idOf), "operation"),
    fragments,
  };
  refuseUnused(files);
  return files;
}

function refuseUnused({ global, products, apis, operations, fragments }: PolicyFiles): void {
  const documents = [global, ...products.values(), ...apis.values(), ...operations.values()];
  const included = new Set(
    documents.flatMap(({ sections }) => Object.values(sections).flatMap((elements) => elements.flatMap(fragmentsIn))),
  );
  for (const id of fragments.keys()) {
    if (!included.has(id)) throw new PolicyFault({ file: `fragments/${id}.xml`, line: 1 }, "nothing includes it.");
  }
}

/** The fragments that an element or its descendants include. */
const fragmentsIn = ({ name, attributes, children }: PolicyElement): string[] =>
  name === "include-fragment" ? [attributes.get("fragment-id") ?? ""] : children.flatMap(fragmentsIn);

const idOf = ({ id }: { readonly id: string }) => id;
