import { XmlDocument, XmlElement, XmlParseError, XmlText, type XmlNode } from "libxml2-wasm";
import { PolicyFault, type Place } from "./policy-fault.ts";

/** An element of a policy file, with its named values replaced. */
export interface PolicyElement extends Place {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly PolicyElement[];
  /** The text directly inside, trimmed. */
  readonly text: string;
}

export type NamedValues = Readonly<Record<string, string>>;

/**
 * Reads policy XML as strictly as Azure's `format: 'xml'` does, and replaces `{{name}}` by named values. Throws `PolicyFault` for XML that
 * is not well formed and for a named value that is missing.
 */
export function readPolicyXml(xml: string, file: string, namedValues: NamedValues): PolicyElement {
  const document = parse(xml, file); // without `using`, which Node 22 does not read
  try {
    return toElement(document.root, file, namedValues);
  } finally {
    document.dispose();
  }
}

function parse(xml: string, file: string): XmlDocument {
  try {
    const document = XmlDocument.fromString(xml);
    if (!document.dtd) return document;
    document.dispose();
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error;
    const [first] = error.details;
    throw new PolicyFault(
      { file, line: first?.line ?? 1 },
      `not well-formed XML: ${first?.message.trim() ?? "empty"}.`,
    );
  }
  throw new PolicyFault({ file, line: 1 }, "a policy file has no document type.");
}

function toElement(node: XmlElement, file: string, namedValues: NamedValues): PolicyElement {
  const place = { file, line: node.line };
  const fill = (text: string) => fillNamedValues(text, place, namedValues);
  const nodes = childrenOf(node);
  return {
    ...place,
    name: node.name,
    attributes: new Map(node.attrs.map(({ name, content }) => [name, fill(content)])),
    children: nodes.filter((n) => n instanceof XmlElement).map((child) => toElement(child, file, namedValues)),
    text: fill(
      nodes
        .filter((n) => n instanceof XmlText)
        .map((text) => text.content)
        .join("")
        .trim(),
    ),
  };
}

function childrenOf(element: XmlElement): XmlNode[] {
  const nodes: XmlNode[] = [];
  for (let node = element.firstChild; node; node = node.next) nodes.push(node);
  return nodes;
}

/** Replaces named values as Azure does: as text, before expressions are read. */
function fillNamedValues(text: string, place: Place, namedValues: NamedValues): string {
  return text.replaceAll(/\{\{([\w.-]+)\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(namedValues, name) ? namedValues[name] : undefined;
    if (value === undefined) throw new PolicyFault(place, `the named value ${name} is not given.`);
    return value;
  });
}
