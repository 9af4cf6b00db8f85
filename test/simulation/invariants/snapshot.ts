import { isOfPayment, type Alert } from "../../../shared/domain/alert.ts";
import type { RecordedEntry } from "../../../shared/ports/payments.ts";
import type { Payment } from "../../../shared/domain/payment/payment.ts";
import { commandRecord, type Command } from "../../../shared/ports/commands.ts";
import {
  actionPartition,
  COMMAND_PREFIX,
  landingPagePartition,
  paymentPartition,
} from "../../../shared/tables/keys.ts";
import { fromRow } from "../../../shared/tables/record.ts";
import type { Plan } from "../actors/plan.ts";
import type { Platform } from "../platform/platform.ts";
import { eventsOf, type ReceivedPaymentEvent } from "./events.ts";

/** A session in the tables at the end. */
export interface Session {
  readonly plan: Plan;
  /** Undefined where there is none, or only a tombstone. */
  readonly payment: Payment | undefined;
  readonly history: readonly RecordedEntry[];
  readonly commands: readonly Omit<Command, "etag">[];
  /** Open and closed ones. */
  readonly alerts: readonly Alert[];
  /** The events at its partner's server, by their identifiers. */
  readonly events: ReadonlyMap<string, ReceivedPaymentEvent>;
}

/** The commands of action requests, tokens and all other subjects but sessions. */
export async function otherCommands(
  { stores }: Platform,
  { partnerIds, pages }: { readonly partnerIds: readonly string[]; readonly pages: readonly string[] },
): Promise<Session["commands"]> {
  const { actionRequests, landingPages } = stores.plain;
  const rows = await Promise.all([
    ...partnerIds.map((partnerId) => actionRequests.withPrefix(actionPartition(partnerId), COMMAND_PREFIX)),
    ...pages.map((page) => landingPages.withPrefix(landingPagePartition(page), COMMAND_PREFIX)),
  ]);
  return rows.flat().map((row) => fromRow(row, commandRecord));
}

export async function takeSnapshot({ ports, stores, webhookServer }: Platform, plan: Plan): Promise<Session> {
  const key = { partnerId: plan.partnerId, sessionId: plan.sessionId };
  const stored = await ports.payments.find(key);
  const rows = await stores.plain.payments.withPrefix(paymentPartition(key), COMMAND_PREFIX);
  const alerts = await ports.alerts.of(plan.sessionId);
  return {
    plan,
    payment: stored?.payment,
    history: await ports.payments.history(key),
    alerts: alerts.flatMap(({ alert }) => (isOfPayment(alert, key) ? [alert] : [])),
    events: eventsOf(webhookServer, plan.sessionId),
    commands: rows.map((row) => fromRow(row, commandRecord)),
  };
}
