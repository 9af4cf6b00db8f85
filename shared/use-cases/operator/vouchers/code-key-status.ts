import { retentionTable } from "../../../domain/retention.ts";
import { after, dayOf, type Day } from "../../../domain/time.ts";
import type { Needs } from "../../needs.ts";

export type CodeKeyStatusDeps = Needs<"accessTokenTemplates" | "codeKeyDays">;

/** A code key, as the tables know it. */
export interface CodeKeyStatus {
  readonly codeKeyId: string;
  /** The last day on which it made a code; undefined where it made none. */
  readonly lastUsedOn: Day | undefined;
  /** No code of it is good after this day, by the longest validity of any template, and by what operators extended. */
  readonly codesEndOn: Day | undefined;
  /** The day until which the setting must hold it. Until then it also finds the addresses that `erase` looks for. */
  readonly neededUntil: Day | undefined;
}

const DAY_SECONDS = 86_400;

/**
 * The keys that made a code, and those that are named, in the order of their names. A token request leaves the tables a fixed time after it;
 * after that nothing of the key's is left. Throws `Unavailable`.
 */
export async function codeKeyStatus(
  { codeKeyDays, accessTokenTemplates }: CodeKeyStatusDeps,
  named: readonly string[],
): Promise<CodeKeyStatus[]> {
  const [used, extended, templates] = await Promise.all([
    codeKeyDays.all(),
    codeKeyDays.extensions(),
    accessTokenTemplates.list(),
  ]);
  const longestDays = Math.ceil(Math.max(0, ...templates.map(({ validSeconds }) => validSeconds)) / DAY_SECONDS);
  const last = new Map<string, Day | undefined>(named.map((codeKeyId) => [codeKeyId, undefined]));
  for (const { codeKeyId, day } of used) if (day > (last.get(codeKeyId) ?? "")) last.set(codeKeyId, day);
  return [...last]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([codeKeyId, lastUsedOn]) => {
      const ends = extended.filter((one) => one.codeKeyId === codeKeyId).map(({ until }) => until);
      if (lastUsedOn !== undefined) ends.push(daysAfter(lastUsedOn, longestDays + 1));
      const codesEndOn = ends.toSorted().at(-1);
      const neededUntil = codesEndOn && daysAfter(codesEndOn, retentionTable.tokenRequests.days);
      return { codeKeyId, lastUsedOn, codesEndOn, neededUntil };
    });
}

const daysAfter = (day: Day, days: number): Day => dayOf(after(`${day}T00:00:00.000Z`, days * DAY_SECONDS));
