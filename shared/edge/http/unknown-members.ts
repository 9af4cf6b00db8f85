import { findNodeAtLocation, parseTree } from "jsonc-parser";
import * as z from "zod";
import type { FieldProblem } from "../../domain/refusal.ts";
import { unwrapped } from "./field-problems.ts";
import { placeIn } from "./place-in.ts";

/** The field of an error about the body's own members. */
const BODY = "(body)";

type Path = readonly (string | number)[];

/** An object of the body, and its members that the schema does not know. */
interface Found {
  readonly at: Path;
  readonly names: readonly string[];
}

/**
 * The objects of a body with members that its schema does not know: how many they are, and where the first one stands. Their names are the
 * caller's own, and are not repeated. (RFC 7240, `handling=strict`)
 *
 * @param sent what `text` holds
 */
export function unknownMembers(schema: z.ZodType, sent: unknown, text: string): FieldProblem[] {
  const tree = parseTree(text);
  return found(schema, sent, []).map(({ at, names }): FieldProblem => {
    const starts = names.map((name) => (tree && findNodeAtLocation(tree, [...at, name])?.parent?.offset) ?? 0);
    const first = placeIn(text, Math.min(...starts));
    const count = names.length === 1 ? "a member that is" : `${names.length} members that are`;
    const message = `has ${count} not known to the operation, the first at ${first}`;
    return { field: at.length === 0 ? BODY : at.join("."), code: "unknown_member", message };
  });
}

function found(schema: z.core.$ZodType, value: unknown, at: Path): Found[] {
  const known = unwrapped(schema);
  if (known instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((one: unknown, index) => found(known.element, one, [...at, index]));
  if (!(known instanceof z.ZodObject) || typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const shape = known.shape as Readonly<Record<string, z.core.$ZodType | undefined>>;
  const members = Object.entries(value);
  const names = members.flatMap(([name]) => (Object.hasOwn(shape, name) ? [] : [name]));
  const within = members.flatMap(([name, member]) => {
    const of = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return of ? found(of, member, [...at, name]) : [];
  });
  return [...(names.length === 0 ? [] : [{ at, names }]), ...within];
}
