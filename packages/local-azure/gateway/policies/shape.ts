import { PolicyFault } from "../policy-fault.ts";
import type { PolicyElement } from "../policy-xml.ts";

// The checks that every policy makes on its element. Each throws `PolicyFault`, with file and line, for anything unknown.

/**
 * The element's attributes: all of `required`, any of `optional`, and no others. Only those in `expressions` may be expressions. In another
 * attribute, an expression would be plain text.
 */
export function attributesOf<Required extends string, Optional extends string = never>(
  element: PolicyElement,
  required: readonly Required[],
  optional: readonly Optional[] = [],
  expressions: readonly NoInfer<Required | Optional>[] = [],
): Record<Required, string> & Partial<Record<Optional, string>> {
  const known: readonly string[] = [...required, ...optional];
  const computed: readonly string[] = expressions;
  for (const [name, value] of element.attributes) {
    if (!known.includes(name)) throw new PolicyFault(element, `<${element.name}> with ${name} is not understood.`);
    if (!computed.includes(name) && isExpression(value))
      throw new PolicyFault(element, `<${element.name}> with an expression as ${name} is not understood.`);
  }
  const missing = required.find((name) => !element.attributes.has(name));
  if (missing !== undefined) throw new PolicyFault(element, `<${element.name}> lacks ${missing}.`);
  return Object.fromEntries(element.attributes) as Record<Required, string> & Partial<Record<Optional, string>>;
}

/** The element's children. All must have one of these names. Text between them is rejected. */
export function childrenOf(element: PolicyElement, names: readonly string[]): readonly PolicyElement[] {
  if (element.text !== "") throw new PolicyFault(element, `<${element.name}> holds text, which is not understood.`);
  const stranger = element.children.find(({ name }) => !names.includes(name));
  if (stranger) throw new PolicyFault(stranger, `<${stranger.name}> inside <${element.name}> is not understood.`);
  return element.children;
}

/** Throws if the element has children or text. */
export const refuseContent = (element: PolicyElement): void => void childrenOf(element, []);

/** The children of an element. All must have this name and contain only text. */
export function textsOf(element: PolicyElement, name: string): readonly PolicyElement[] {
  const texts = childrenOf(element, [name]);
  for (const text of texts) textOf(text);
  return texts;
}

/** The text of an element that contains only text. */
export function textOf(element: PolicyElement): string {
  attributesOf(element, []);
  const [child] = element.children;
  if (child) throw new PolicyFault(child, `<${child.name}> inside <${element.name}> is not understood.`);
  return element.text;
}

/** Like `textOf`, but the text may not be an expression. */
export function literalOf(element: PolicyElement): string {
  const text = textOf(element);
  if (isExpression(text)) throw new PolicyFault(element, `<${element.name}> with an expression is not understood.`);
  return text;
}

const isExpression = (text: string) => text.trimStart().startsWith("@");

/** A whole number from `least` to `most`. An expression is not accepted, because no policy here computes a number. */
export function integerOf(text: string, element: PolicyElement, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new PolicyFault(element, `${JSON.stringify(text)} should be a whole number from ${least} to ${most}.`);
}

export function oneOf<Choice extends string>(text: string, element: PolicyElement, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  throw new PolicyFault(element, `${JSON.stringify(text)} should be one of: ${choices.join(", ")}.`);
}
