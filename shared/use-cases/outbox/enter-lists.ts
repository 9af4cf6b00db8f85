import { dayOf, type Day, type Instant } from "../../domain/time.ts";
import type { Entering } from "../../ports/listings.ts";

interface Listable {
  readonly listedOn?: Day | undefined;
  readonly updatedAt: Instant;
}

/**
 * A record as it is committed, and how its subject must be listed before that: under the day of the change, and as open where the change
 * has a command. The record remembers the day, so that further commits of that day write nothing.
 */
export function listed<R extends Listable>(
  record: R,
  command: object | undefined,
): { readonly record: R; readonly entering: Entering | undefined } {
  const { updatedAt: at, listedOn } = record;
  const day = dayOf(at);
  if (listedOn === day) return { record, entering: undefined };
  const isOpen = command !== undefined;
  return { record: isOpen ? { ...record, listedOn: day } : record, entering: { day, isOpen, at } };
}
