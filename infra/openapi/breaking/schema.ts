import { alternativesOf, covers, type Alternative } from "./alternatives.ts";
import type { Schema, Schemas } from "./document.ts";
import { tightened } from "./limits.ts";
import { labelled } from "./tags.ts";

/** `sent` by callers: what was accepted must still be accepted. `received` by them: nothing may arrive that they were not to expect. */
export type Direction = "sent" | "received";

export interface Compared {
  readonly direction: Direction;
  /** The position, for the message. */
  readonly place: string;
  readonly released: Schemas;
  readonly current: Schemas;
  /** The pairs under comparison: one that is met within itself stops. */
  readonly within?: readonly string[];
}

/** A member of an object, or a parameter or header of a message. */
export interface Member {
  readonly required: boolean;
  readonly schema: Schema;
}

/**
 * The changes in a schema that break callers, in sentences. By the published rules callers accept members, enumerated values and tagged
 * alternatives that they do not know, and rely on no length, range or pattern of what they receive.
 */
export function schemaBreaks(released: Schema, current: Schema, compared: Compared): string[] {
  const pair = JSON.stringify([released, current]);
  if (compared.within?.includes(pair)) return [];
  const on = { ...compared, within: [...(compared.within ?? []), pair] };
  const [before, after] = [alternativesOf(released, on.released), alternativesOf(current, on.current)];
  const [one, other] = [before[0], after[0]];
  if (one && other && before.length === 1 && after.length === 1) return alternativeBreaks(one, other, on);
  return on.direction === "sent" ? notTaken(before, after, on) : notExpected(before, after, on);
}

/** The changes in parameters, headers or members that break callers, by readable names: `header "x-request-id"`. */
export function memberBreaks(before: ReadonlyMap<string, Member>, after: ReadonlyMap<string, Member>, on: Compared) {
  const added = [...after].filter(([name, { required }]) => required && !before.has(name));
  return [
    ...[...before].flatMap(([name, member]) => {
      const now = after.get(name);
      // What callers go on sending would be ignored unnoticed.
      return now ? keptMemberBreaks(name, member, now, on) : [`${on.place} no longer has ${name}`];
    }),
    ...(on.direction === "sent" ? added.map(([name]) => `${on.place} now needs ${name}`) : []),
  ];
}

function keptMemberBreaks(name: string, before: Member, after: Member, on: Compared): string[] {
  const absenceBreaks = on.direction === "sent" ? sentAbsenceBreaks : receivedAbsenceBreaks;
  return [...absenceBreaks(name, before, after, on), ...schemaBreaks(before.schema, after.schema, at(on, name))];
}

/** What callers may leave out they may still leave out, and it still means the same value. */
function sentAbsenceBreaks(name: string, before: Member, after: Member, on: Compared): string[] {
  if (before.required) return [];
  if (after.required) return [`${on.place} now needs ${name}`];
  const [old, now] = [defaultOf(before, on.released), defaultOf(after, on.current)];
  if (old === now) return [];
  return [`${on.place} takes a missing ${name} as ${now ?? "none"}, no longer as ${old ?? "none"}`];
}

/** A member that was always present is still always present. */
const receivedAbsenceBreaks = (name: string, before: Member, after: Member, on: Compared): string[] =>
  before.required && !after.required ? [`${on.place} may come without ${name}`] : [];

const defaultOf = ({ schema }: Member, schemas: Schemas): string | undefined =>
  JSON.stringify(alternativesOf(schema, schemas)[0]?.default);

const at = (on: Compared, name: string): Compared => ({ ...on, place: `${on.place} › ${name}` });

/** Each alternative that callers send must still be accepted by one. */
function notTaken(before: readonly Alternative[], after: readonly Alternative[], on: Compared): string[] {
  const [olds, news] = labelled(before, after, on);
  return olds.flatMap(({ alternative, label, name }) => {
    const takers = news.filter((taken) => covers(taken.alternative.type, alternative.type) && taken.label === label);
    const breaks = takers.map((taken) => alternativeBreaks(alternative, taken.alternative, at(on, name)));
    return fewest(breaks) ?? [`${on.place} no longer takes ${name}`];
  });
}

/** Each alternative that callers receive must be one that they expect, or tagged, so that they can ignore it. */
function notExpected(before: readonly Alternative[], after: readonly Alternative[], on: Compared): string[] {
  const [olds, news] = labelled(before, after, on);
  return news.flatMap(({ alternative, label, name }) => {
    const known = olds.filter((old) => covers(old.alternative.type, alternative.type) && old.label === label);
    const breaks = known.map((old) => alternativeBreaks(old.alternative, alternative, at(on, name)));
    const passedOver = label !== undefined && known.length === 0 && olds.some((old) => old.label !== undefined);
    return passedOver ? [] : (fewest(breaks) ?? [`${on.place} may now be ${name}`]);
  });
}

const fewest = (breaks: readonly string[][]) => breaks.toSorted((one, other) => one.length - other.length)[0];

function alternativeBreaks(before: Alternative, after: Alternative, on: Compared): string[] {
  const isSent = on.direction === "sent";
  const [wide, narrow] = isSent ? [after, before] : [before, after];
  if (!covers(wide.type, narrow.type)) {
    return [`${on.place} was ${before.type ?? "anything"} and is ${after.type ?? "anything"}`];
  }
  return [
    ...(isSent ? narrowedBreaks(before, after, on.place) : formatBreaks(before, after, on.place)),
    ...memberBreaks(membersOf(before), membersOf(after), on),
    ...contentBreaks(before, after, on),
  ];
}

function narrowedBreaks(before: Alternative, after: Alternative, place: string): string[] {
  const gone = before.enum?.filter((value) => after.enum && !after.enum.includes(value)) ?? [];
  return [
    ...(after.enum && !before.enum ? [`${place} takes certain values only`] : []),
    ...gone.map((value) => `${place} no longer takes ${JSON.stringify(value)}`),
    ...tightened(before, after).map((limit) => `${place} has a tighter ${limit}`),
  ];
}

/** Callers read times and identifiers by their format. */
const formatBreaks = (before: Alternative, after: Alternative, place: string): string[] =>
  before["format"] === undefined || before["format"] === after["format"]
    ? []
    : [`${place} is no longer of the format ${JSON.stringify(before["format"])}`];

const membersOf = ({ properties = {}, required = [] }: Alternative): ReadonlyMap<string, Member> =>
  new Map(
    [...new Set([...Object.keys(properties), ...required])].map((name) => [
      JSON.stringify(name),
      { required: required.includes(name), schema: properties[name] ?? {} },
    ]),
  );

function contentBreaks(before: Alternative, after: Alternative, on: Compared): string[] {
  const inner = (name: string, old: Schema | undefined, now: Schema | undefined, unsaid: Schema) =>
    old || now ? schemaBreaks(old ?? unsaid, now ?? unsaid, at(on, name)) : [];
  const [open, stillOpen] = [before, after].map(({ additionalProperties: others }) =>
    others === true ? undefined : others,
  );
  // Callers accept new members of responses, and do not miss members of names that they never received.
  const closed = open !== false && stillOpen === false && (on.direction === "sent" || open !== undefined);
  return [
    ...(closed ? [`${on.place} no longer has members of other names`] : []),
    ...(open === false || stillOpen === false ? [] : inner("other members", open, stillOpen, {})),
    ...inner("names", before.propertyNames, after.propertyNames, { type: "string" }),
    ...inner("items", before.items, after.items, {}),
  ];
}
