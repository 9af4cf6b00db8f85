import type { Schema } from "./document.ts";

/** Another pattern or format is another contract: a program cannot compute which of two accepts more. */
const forms = ["pattern", "format"] as const;
/** The direction in which a limit is tighter. */
const lengths = { minLength: "up", minItems: "up", maxLength: "down", maxItems: "down" } as const;
const bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"] as const;

/** The keywords that limit a value. */
export const limits: readonly string[] = [...forms, ...Object.keys(lengths), ...bounds, "multipleOf"];

/** The keywords by which the second schema accepts less than the first. */
export function tightened(before: Schema, after: Schema): string[] {
  return [
    ...forms.filter((form) => after[form] !== undefined && after[form] !== before[form]),
    ...Object.entries(lengths).flatMap(([name, tighter]) =>
      isTighter(numberOf(before, name), numberOf(after, name), tighter) ? [name] : [],
    ),
    ...(isHigher(lowest(before), lowest(after)) ? ["minimum"] : []),
    ...(isHigher(lowest(negated(before)), lowest(negated(after))) ? ["maximum"] : []),
    ...(isCoarser(numberOf(before, "multipleOf"), numberOf(after, "multipleOf")) ? ["multipleOf"] : []),
  ];
}

function numberOf(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

function isTighter(before: number | undefined, after: number | undefined, tighter: "up" | "down"): boolean {
  if (after === undefined) return false;
  if (before === undefined) return true;
  return tighter === "up" ? after > before : after < before;
}

interface Bound {
  readonly value: number;
  /** Whether the value itself is out of bounds. */
  readonly open: boolean;
}

/** Combines `minimum` and `exclusiveMinimum`: for whole numbers, above 0 means from 1. */
function lowest(schema: Schema): Bound {
  const from = { value: numberOf(schema, "minimum") ?? -Infinity, open: false };
  const above = numberOf(schema, "exclusiveMinimum") ?? -Infinity;
  if (above === -Infinity) return from;
  const whole = schema.type === "integer";
  const beyond = whole ? { value: Math.floor(above) + 1, open: false } : { value: above, open: true };
  return isHigher(from, beyond) ? beyond : from;
}

const isHigher = (before: Bound, after: Bound) =>
  after.value > before.value || (after.value === before.value && after.open && !before.open);

/** The maximum of a schema is the minimum of its mirror image. */
function negated(schema: Schema): Schema {
  const minus = (keyword: string) => -(numberOf(schema, keyword) ?? Infinity);
  return { ...schema, minimum: minus("maximum"), exclusiveMinimum: minus("exclusiveMaximum") };
}

/**
 * Whether multiples of `before` are no longer multiples of `after`. The quotient is rounded, because hundredths have no exact binary form.
 */
function isCoarser(before: number | undefined, after: number | undefined): boolean {
  if (after === undefined) return false;
  if (before === undefined) return true;
  const steps = before / after;
  return Math.abs(steps - Math.round(steps)) > 1e-9;
}
