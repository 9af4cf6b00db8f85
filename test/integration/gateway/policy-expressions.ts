import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  readDeclaration,
  readPolicyFiles,
  readPolicyXml,
  type PolicyElement,
} from "../../../packages/local-azure/gateway/gateway.ts";
import type { Judged } from "../../../packages/local-azure/gateway/test/csharp.ts";

export interface PlacedExpression extends Judged {
  /** File, line, element and attribute. */
  readonly place: string;
}

/** The C# type that each attribute or text requires of an expression, by Microsoft's policy reference. */
const wanted: Readonly<Record<string, string>> = {
  "when condition": "bool",
  "retry condition": "bool",
  "set-variable value": "object",
  "set-header name": "string",
  "set-body text": "string",
  "value text": "string",
  "set-backend-service base-url": "string",
  "rate-limit-by-key counter-key": "string",
  "rate-limit-by-key increment-condition": "bool",
};

const isExpression = (text: string) => /^\s*@[({]/.test(text);

/** Every expression of an element and of its content. Throws if the type at a place is not known. */
export function expressionsIn(element: PolicyElement): PlacedExpression[] {
  const texts = [...element.attributes, ["text", element.text] as const].filter(([, text]) => isExpression(text));
  const own = texts.map(([name, source]) => {
    const place = `${element.file}:${element.line} ${element.name} ${name}`;
    const type = wanted[`${element.name} ${name}`];
    if (type === undefined) throw new Error(`${place}: the type of an expression here is not known.`);
    return { place, source: source.trim(), type };
  });
  return [...own, ...element.children.flatMap(expressionsIn)];
}

/** Every expression of the product's policy files, with named values filled in. */
export async function policyExpressions(): Promise<PlacedExpression[]> {
  const directory = resolve(import.meta.dirname, "../../../infra/azure/apim");
  const fronts = (await readdir(resolve(directory, "fronts"))).map((file) => `fronts/${file}`);
  const declaration = await readDeclaration(directory);
  const namedValues = Object.fromEntries(declaration.namedValues.map(({ name }) => [name, "1"]));
  const files = await readPolicyFiles(directory, declaration, namedValues);
  const documents = [files.global, ...files.products.values(), ...files.apis.values(), ...files.operations.values()];
  const read = async (file: string) =>
    readPolicyXml(await readFile(resolve(directory, file), "utf8"), { file, namedValues, isSecret: () => false });
  const elements = [
    ...(await Promise.all(fronts.map(read))),
    ...documents.flatMap(({ sections }) => Object.values(sections).flat()),
    ...[...files.fragments.values()].flat(),
  ];
  return elements.flatMap(expressionsIn);
}
