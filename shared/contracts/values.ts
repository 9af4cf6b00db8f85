import * as z from "zod";

/**
 * The values that a member of a response or event has today. Each has its meaning, which is one sentence. Later versions may add values, so
 * the documents show the member as a text under the name `id`. (ADR 010)
 */
export const values = <Value extends string>(
  id: string,
  description: string,
  meanings: Readonly<Record<Value, string>>,
): z.ZodEnum<{ [V in Value]: V }> => {
  const lines = Object.entries<string>(meanings).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
  const names = namesOf(meanings);
  return z.enum(names).meta({ id, description: `${description}\n\n${lines.join("\n")}`, "x-extensible-enum": names });
};

const namesOf = <Value extends string>(meanings: Readonly<Record<Value, string>>): Value[] =>
  Object.keys(meanings) as Value[];

/** Turns a clause into a sentence: `the terminal accepted it` becomes `The terminal accepted it.` */
export const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** Turns each clause into a sentence. */
export const sentences = <Value extends string>(clauses: Readonly<Record<Value, string>>): Record<Value, string> =>
  Object.fromEntries(Object.entries<string>(clauses).map(([value, clause]) => [value, sentence(clause)])) as Record<
    Value,
    string
  >;
