import { isOfPayment, type Alert } from "../../../shared/domain/alert.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import {
  actionPartition,
  COMMAND_PREFIX,
  terminalDayPartition,
  terminalPartition,
} from "../../../shared/stores/keys.ts";
import { landingPagePartition } from "../../../shared/stores/token-keys.ts";
import { commandsPrefix } from "../../../shared/stores/subject-rows.ts";
import { paymentKeyOf, paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { World } from "../world/world.ts";
import { businessDaysOf } from "../actors/day-closings.ts";
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
  world: World,
  { stores }: Platform,
  { partnerIds, pages }: { readonly partnerIds: readonly string[]; readonly pages: readonly string[] },
): Promise<Session["commands"]> {
  const { actionRequests, landingPages, terminalDays } = stores.plain;
  const days = partnerIds.flatMap((partnerId) =>
    businessDaysOf(world).map((day) => terminalDayPartition({ partnerId, day })),
  );
  const rows = await Promise.all([
    ...days.map((partition) => terminalDays.withPrefix(partition, COMMAND_PREFIX)),
    ...partnerIds.map((partnerId) => actionRequests.withPrefix(actionPartition(partnerId), COMMAND_PREFIX)),
    ...pages.map((page) => landingPages.withPrefix(landingPagePartition(page), COMMAND_PREFIX)),
  ]);
  return rows.flat().map((row) => fromRow(row, commandRecord));
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
