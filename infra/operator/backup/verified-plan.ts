import type { Instant } from "../../../shared/domain/time.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { damagedSession, damageText } from "./damage.ts";
import { rowsOf, type Lines } from "./exported-row.ts";
import { readLeftOut, type LeftOut } from "./left-out.ts";
import { differencesBetween, takeStock, type Manifest } from "./manifest.ts";
import { planFeeds, type FeedsPlan } from "./restored-feeds.ts";

/** The export cannot be imported. Each reason is a sentence. Nothing was written. */
export class NotImported extends Error {
  override readonly name = "NotImported";
}

/** A verified export, as far as an import must know it before it writes. */
export interface ImportPlan {
  readonly begunAt: Instant;
  /** The damaged payments that are not imported, by their sessions' names. */
  readonly leftOut: ReadonlyMap<string, LeftOut & { readonly key: PaymentKey }>;
  readonly feeds: FeedsPlan;
}

/**
 * Verifies the whole export. Throws `NotImported` if the files disagree with the manifest, or if a row is damaged whose payment is not left
 * out.
 *
 * @param without the names of the damaged payments to leave out
 */
export async function verifiedPlan(
  manifest: Manifest,
  lines: Lines,
  without: ReadonlySet<string>,
): Promise<ImportPlan> {
  const found = await takeStock(lines, manifest);
  const named = found.damaged.map((one) => ({ one, session: damagedSession(one) }));
  const sessions = new Set(named.flatMap(({ session }) => session ?? []));
  const damaged = await readLeftOut(rowsOf(lines, "terminals"), sessions);
  const troubles = [
    ...differencesBetween(manifest, found),
    ...named.filter(({ session }) => session === undefined || !without.has(session)).map(({ one }) => damageText(one)),
    ...[...damaged]
      .filter(([session]) => !without.has(session))
      .map(([session, { money }]) => `The payment can be left out: --without ${session}. ${money}`),
    ...[...without].flatMap((session) => {
      const payment = damaged.get(session);
      if (!payment) return `The payment ${session} is not damaged, and cannot be left out.`;
      return payment.key ? [] : `The payment ${session} cannot be left out: its terminal cannot be read either.`;
    }),
  ];
  if (troubles.length > 0)
    throw new NotImported(`The export cannot be imported. Nothing was written.\n${troubles.join("\n")}`);
  const leftOut = [...damaged].flatMap(([session, { key, money }]) =>
    key ? [[session, { key, money }] as const] : [],
  );
  const { begunAt } = manifest;
  return { begunAt, leftOut: new Map(leftOut), feeds: await planFeeds(rowsOf(lines, "feeds"), begunAt) };
}
