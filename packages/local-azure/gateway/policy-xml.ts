import { XmlCData, XmlComment, XmlDocument, XmlElement, XmlParseError, XmlText, type XmlNode } from "libxml2-wasm";
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

/** A policy file and its named values. */
export interface PolicySource {
  readonly file: string;
  readonly namedValues: NamedValues;
  /** Whether a name is that of a secret. No message may contain its value. */
  readonly isSecret: (name: string) => boolean;
}

/**
 * Reads policy XML as strictly as Azure's `format: 'xml'` does, and replaces `{{name}}` by named values. Throws `PolicyFault` for XML that
 * is not well formed, for a missing named value, and for anything except elements, text, CDATA and comments.
 */
export function readPolicyXml(xml: string, source: PolicySource): PolicyElement {
  const document = parse(xml, source.file); // without `using`, which Node 22 does not support
  try {
    return toElement(document.root, source);
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

function toElement(node: XmlElement, source: PolicySource): PolicyElement {
  const nodes = childrenOf(node);
  const texts = nodes.filter((n) => n instanceof XmlText || n instanceof XmlCData).map((text) => text.content);
  const attributes = node.attrs.map(({ name, content }) => [name, content] as const);
  const secrets = namesIn([...attributes.map(([, content]) => content), ...texts]).filter(source.isSecret);
  const place = { file: source.file, line: node.line, secrets };
  const stranger = nodes.find((n) => !known.some((kind) => n instanceof kind));
  if (stranger) throw new PolicyFault(place, `<${node.name}> holds something that is no element, text or comment.`);
  const fill = (text: string) => fillNamedValues(text, place, source.namedValues);
  return {
    ...place,
    name: node.name,
    attributes: new Map(attributes.map(([name, content]) => [name, fill(content)])),
    children: nodes.filter((n) => n instanceof XmlElement).map((child) => toElement(child, source)),
    text: fill(texts.join("").trim()),
  };
}

const known = [XmlElement, XmlText, XmlCData, XmlComment];

function childrenOf(element: XmlElement): XmlNode[] {
  const nodes: XmlNode[] = [];
  for (let node = element.firstChild; node; node = node.next) nodes.push(node);
  return nodes;
}

const named = /\{\{([\w.-]+)\}\}/g;

const namesIn = (texts: readonly string[]) =>
  texts.flatMap((text) => [...text.matchAll(named)].map(([, name = ""]) => name));

/** Replaces named values as Azure does: as text, before expressions are read. */
function fillNamedValues(text: string, place: Place, namedValues: NamedValues): string {
  return text.replaceAll(named, (_, name: string) => {
    const value = Object.hasOwn(namedValues, name) ? namedValues[name] : undefined;
    if (value === undefined) throw new PolicyFault({ ...place, secrets: [] }, `the named value ${name} is not given.`);
    return value;
  });
}
