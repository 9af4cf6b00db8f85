import { alternativesOf, type Alternative } from "./alternatives.ts";
import type { Schemas } from "./document.ts";

interface Labelled {
  readonly alternative: Alternative;
  /** The value of its tag. Two alternatives with different values never match. */
  readonly label?: string;
  /** The name in messages: its tag, else its type. */
  readonly name: string;
}

/** The alternatives of a union before and after, by the tag that all their objects have, if they have one. */
export function labelled(
  before: readonly Alternative[],
  after: readonly Alternative[],
  { released, current }: { readonly released: Schemas; readonly current: Schemas },
): [Labelled[], Labelled[]] {
  const tag = tagOf([...objectsOf(before, released), ...objectsOf(after, current)]);
  const label = (schemas: Schemas) => (alternative: Alternative) => {
    const value = tag === undefined ? undefined : onlyValue({ alternative, schemas }, tag);
    if (value === undefined) return { alternative, name: alternative.type ?? "anything" };
    return { alternative, label: value, name: `${tag} ${value}` };
  };
  return [before.map(label(released)), after.map(label(current))];
}

interface ObjectAlternative {
  readonly alternative: Alternative;
  readonly schemas: Schemas;
}

const objectsOf = (alternatives: readonly Alternative[], schemas: Schemas): ObjectAlternative[] =>
  alternatives.filter(({ type }) => type === "object").map((alternative) => ({ alternative, schemas }));

/** The required member that has one value in each object, and not the same in all. Of several, the one that differs most. */
function tagOf(objects: readonly ObjectAlternative[]): string | undefined {
  const tags = (objects[0]?.alternative.required ?? []).flatMap((name) => {
    const values = objects.map((object) => onlyValue(object, name));
    const count = new Set(values).size;
    return values.includes(undefined) || count === 1 ? [] : [{ name, count }];
  });
  return tags.toSorted((one, other) => other.count - one.count)[0]?.name;
}

function onlyValue({ alternative, schemas }: ObjectAlternative, name: string): string | undefined {
  const member = alternative.properties?.[name];
  if (!member || !alternative.required?.includes(name)) return undefined;
  const values = alternativesOf(member, schemas).flatMap(({ enum: values }) => values ?? [undefined]);
  return values.length === 1 ? JSON.stringify(values[0]) : undefined;
}
