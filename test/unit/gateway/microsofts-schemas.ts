import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { XmlDocument, XmlElement, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";

/** We may not copy Microsoft's schemas of single policies. They may be next to the project. */
const schemaFolder = resolve(import.meta.dirname, "../../../../shared/data/apim-policy-schemas");
export const schemasArePresent = existsSync(schemaFolder);

/**
 * The schemas' objections to the policies in a file, one sentence for each policy. They do not cover the structure (`policies`,
 * `fragment`).
 */
export function objections(xml: string): string[] {
  using document = XmlDocument.fromString(xml);
  const known = new Set(schemaNames());
  const policies = descendants(document.root).filter(({ name }) => known.has(name));
  if (policies.length === 0) return [];
  using validator = validatorFor([...new Set(policies.map(({ name }) => name))]);
  return policies.flatMap((policy) => {
    try {
      validator.validate(policy);
      return [];
    } catch (error) {
      return [`line ${policy.line}: ${error instanceof Error ? error.message.trim() : String(error)}`];
    }
  });
}

const schemaNames = () =>
  readdirSync(schemaFolder)
    .map((file) => basename(file, ".xsd"))
    .filter((name) => !["policies", "block", "common-types"].includes(name));

/** One schema of the policies in question, so that they share their common types. */
function validatorFor(names: readonly string[]): XsdValidator {
  xmlRegisterFsInputProviders();
  const includes = ["common-types", ...names].map((name) => `<xs:include schemaLocation="${name}.xsd" />`).join("");
  const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">${includes}</xs:schema>`;
  using document = XmlDocument.fromString(schema, { url: join(schemaFolder, "policies-of-one-file.xsd") });
  return XsdValidator.fromDoc(document);
}

function descendants(element: XmlElement): XmlElement[] {
  const found = [element];
  for (let node = element.firstChild; node; node = node.next) {
    if (node instanceof XmlElement) found.push(...descendants(node));
  }
  return found;
}
