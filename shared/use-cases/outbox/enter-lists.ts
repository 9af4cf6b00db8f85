import { dayOf, type Day, type Instant } from "../../domain/time.ts";
import type { Entering } from "../../stores/listings.ts";

interface Listable {
  readonly listedOn?: Day | undefined;
  readonly updatedAt: Instant;
}

/**
 * Returns the record to commit, and how its subject must be listed before the commit. The subject is listed under the day of the change,
 * and as open if the change has a command. The record stores the day, so that later commits on that day write no entry.
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
