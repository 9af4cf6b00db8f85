import type { MemberView } from "../../views/operations.ts";

// The body to send is a JSON text. The form reads and writes its members by their paths.

type Members = Readonly<Record<string, unknown>>;

/** The body as an object. Undefined if the text is not a JSON object. */
export function objectIn(text: string): Members | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

export const textOf = (body: Members): string => JSON.stringify(body, null, 2);

/** The member at a path such as `merchantReferences.orderId`. Undefined if there is none. */
export const valueAt = (body: Members, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), body);

/**
 * The body with another value at the path. If the value is undefined, the member is removed. An object that becomes empty is removed too.
 */
export function withValue(body: Members, path: string, value: unknown): Members {
  const [name = "", ...rest] = path.split(".");
  const { [name]: before, ...others } = body;
  const next = rest.length === 0 ? value : withValue(isObject(before) ? before : {}, rest.join("."), value);
  const isEmptied = rest.length > 0 && Object.keys(Object(next) as object).length === 0;
  if (next === undefined || isEmptied) return others;
  return { ...body, [name]: next };
}

/** Converts a typed text to the member's kind of value. An invalid value is sent as text, and the platform responds to it. */
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
 * The text after its operation was filled again. Values that still equal the old example change to the new example's values. A person's own
 * values stay.
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
