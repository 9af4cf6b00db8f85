import type { MemberView } from "../../views/operations.ts";

// The body that is sent is a JSON text. The form reads and writes single members of it, by their paths.

type Members = Readonly<Record<string, unknown>>;

/** The body as an object; undefined where the text is none. */
export function objectIn(text: string): Members | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

export const textOf = (body: Members): string => JSON.stringify(body, null, 2);

/** The member of a path such as `merchantReferences.orderId`; undefined where there is none. */
export const valueAt = (body: Members, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), body);

/** The body with another value there; without the member where the value is undefined. An object that gets empty by it is left out too. */
export function withValue(body: Members, path: string, value: unknown): Members {
  const [name = "", ...rest] = path.split(".");
  const { [name]: before, ...others } = body;
  const next = rest.length === 0 ? value : withValue(isObject(before) ? before : {}, rest.join("."), value);
  const isEmptied = rest.length > 0 && Object.keys(Object(next) as object).length === 0;
  if (next === undefined || isEmptied) return others;
  return { ...body, [name]: next };
}

/** A typed text as the member's kind of value. What is no such value is sent as the text that it is: the platform says what it makes of it. */
export function valueOf({ kind }: Pick<MemberView, "kind">, typed: string): unknown {
  if (kind === "text" || typed.trim() === "") return typed;
  try {
    return JSON.parse(typed.replace(/^(-?\d+),(\d+)$/, "$1.$2")) as unknown;
  } catch {
    return typed;
  }
}

/** A value as the text of its field. */
export const typedOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/**
 * A text after its operation was filled anew: what still stands as the example before had it becomes what the new one has, and what a person
 * wrote stays.
 */
export function filledAnew(text: string, before: string, now: string): string {
  if (text === before) return now;
  const [mine, old, fresh] = [objectIn(text), objectIn(before), objectIn(now)];
  if (!mine || !old || !fresh) return text;
  return textOf(mergedAnew(mine, old, fresh));
}

const mergedAnew = (mine: Members, old: Members, fresh: Members): Members =>
  Object.fromEntries(
    Object.entries(mine).map(([name, value]) => {
      const [was, is] = [old[name], fresh[name]];
      if (isObject(value) && isObject(was) && isObject(is)) return [name, mergedAnew(value, was, is)];
      return [name, JSON.stringify(value) === JSON.stringify(was) && is !== undefined ? is : value];
    }),
  );

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
