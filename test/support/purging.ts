import { retentionTable, type RetentionKind } from "../../shared/domain/retention.ts";
import { planPurge, purge } from "../../shared/use-cases/operator/retention/purge.ts";
import { aPaymentOn, approval } from "./a-payment.ts";
import { allRows } from "./all-rows.ts";
import { aCall } from "./calls.ts";
import { aPlatform, type Platform } from "./platform.ts";

/** In seconds. */
export const DAY = 24 * 3600;

/** A platform that can purge, and its rows. */
export async function aWorld() {
  const rows = allRows();
  const platform = await aPlatform({ open: rows.open });
  return { rows, platform };
}
export const run = ({ deps }: Platform, kind: RetentionKind, days: number = retentionTable[kind].days) =>
  purge(deps, aCall(deps), { kind, days });
export const plan = ({ deps }: Platform, kind: RetentionKind, days: number = retentionTable[kind].days) =>
  planPurge(deps, aCall(deps), { kind, days });

/** A captured payment with an order, with its webhooks delivered. */
export async function aCaptured(platform: Platform) {
  const payment = await aPaymentOn(platform, { captureMode: "automatic", references: { orderId: "order 7" } });
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.sendReport("accepted", { messageId });
  await payment.sendReport("authorized", { ...approval, messageId });
  await platform.pass(300);
  return payment;
}

/** The rows that name the session. Feed and bookings have their own retention. */
export const rowsOf = (all: readonly string[], id: string) =>
  all.filter((row) => row.includes(id) && !/^(feeds |terminals \S+ (booking|late)~)/.test(row));
