import { isOfPayment, type Alert } from "../../../shared/domain/alert.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import {
  actionPartition,
  COMMAND_PREFIX,
  TERMINAL_DAY_PREFIX,
  terminalPartition,
} from "../../../shared/stores/keys.ts";
import type { Row } from "../../../shared/ports/rows.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { landingPagePartition } from "../../../shared/stores/token-keys.ts";
import { commandsPrefix } from "../../../shared/stores/subject-rows.ts";
import { paymentKeyOf, paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { Cast } from "../actors/cast.ts";
import type { Plan } from "../actors/plan.ts";
import type { Platform } from "../platform/platform.ts";
import { eventsOf, toldTo, type ReceivedPaymentEvent } from "./events.ts";

/** A session in the tables at the end. */
export interface Session {
  readonly plan: Plan;
  /** Undefined if there is no payment, or only a tombstone. */
  readonly payment: Payment | undefined;
  readonly history: readonly RecordedEntry[];
  readonly commands: readonly Omit<Command, "etag">[];
  /** Open and closed alerts. */
  readonly alerts: readonly Alert[];
  /** The events that its partner got, by their identifiers. */
  readonly events: ReadonlyMap<string, ReceivedPaymentEvent>;
}

/** The commands of action requests, tokens and all other subjects except sessions. */
export async function otherCommands(
  { stores }: Platform,
  { partnerIds, terminals, pages }: Pick<Cast, "partnerIds" | "terminals"> & { readonly pages: readonly string[] },
): Promise<Session["commands"]> {
  const { actionRequests, landingPages, terminals: stored } = stores.plain;
  const ofDays = terminals.map(async ({ terminalId }) => {
    const rows = await stored.withPrefix(terminalPartition(terminalId), TERMINAL_DAY_PREFIX);
    return rows.filter(({ rowKey }) => kindOfRow(rowKey) === "day~command");
  });
  const rows = await Promise.all([
    ...ofDays,
    ...partnerIds.map((partnerId) => actionRequests.withPrefix(actionPartition(partnerId), COMMAND_PREFIX)),
    ofPartnersDays(stores),
    ...pages.map((page) => landingPages.withPrefix(landingPagePartition(page), COMMAND_PREFIX)),
  ]);
  return rows.flat().map((row) => fromRow(row, commandRecord));
}

/** The rows of the commands of partners' days. */
async function ofPartnersDays(stores: Platform["stores"]): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of stores.whole().days.rowsAfter()) if (row.rowKey.startsWith(COMMAND_PREFIX)) found.push(row);
  return found;
}

/** The commands of a session. */
export async function commandsOf({ stores }: Platform, plan: Plan): Promise<Session["commands"]> {
  const subject = paymentSubjectOf(plan);
  const rows = await stores.plain.terminals.withPrefix(terminalPartition(plan.terminalId), commandsPrefix(subject));
  return rows.map((row) => fromRow(row, commandRecord));
}

export async function takeSnapshot(platform: Platform, plan: Plan): Promise<Session> {
  const { ports } = platform;
  const key = paymentKeyOf(plan);
  const stored = await ports.payments.find(key);
  const alerts = await ports.alerts.of(plan.sessionId);
  const commands = await commandsOf(platform, plan);
  return {
    plan,
    payment: stored?.payment,
    history: await ports.payments.history(key),
    alerts: alerts.flatMap(({ alert }) => (isOfPayment(alert, key) ? [alert] : [])),
    events: eventsOf(await toldTo(platform, plan.partnerId), commands),
    commands,
  };
}
