import { retentionTable } from "../../../domain/retention.ts";
import { after, dayOf, type Day } from "../../../domain/time.ts";
import type { Needs } from "../../needs.ts";

export type CodeKeyStatusDeps = Needs<"accessTokenTemplates" | "codeKeyDays">;

/** The use of a code key, according to the tables. */
export interface CodeKeyStatus {
  readonly codeKeyId: string;
  /** The last day on which the key made a code; undefined if it never made one. */
  readonly lastUsedOn: Day | undefined;
  /** No code of the key is valid after this day. It follows from the longest validity of any template and from operators' extensions. */
  readonly codesEndOn: Day | undefined;
  /** The day until which the settings must hold the key. Until then it also finds the addresses that `erase` looks for. */
  readonly neededUntil: Day | undefined;
}

const DAY_SECONDS = 86_400;

/**
 * The status of the keys that made a code and of the named keys, in the order of their names. A token request is purged a fixed time after
 * its code expires. After that the tables hold no data of the key. Throws `Unavailable`.
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
