import { signingSecrets, type WebhookSecretKeys } from "../../../shared/edge/auth/signing-secrets.ts";
import type { Alert } from "../../../shared/domain/alert.ts";
import { paymentRecord } from "../../../shared/domain/payment/record/payment.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { paymentPrefix, terminalPartition } from "../../../shared/stores/keys.ts";
import { isTombstone } from "../../../shared/stores/payments.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { tablePorts, type Table, type TablePorts, type Tables } from "../../../shared/stores/stores.ts";
import { inspectPayment, type InspectedPayment } from "../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { operatorCall } from "../../../infra/operator/common/platform.ts";
import { alertId, alertView, type Cause } from "./alerts.ts";
import { newestDays } from "./days.ts";
import type { Unit } from "./mirrored-table.ts";
import { paymentKeyIn, paymentView } from "./payments.ts";
import { registeredTerminals } from "./registered.ts";
import type { LiveState } from "./state.ts";
import type { RegisteredView } from "./views/registered.ts";

/** The platform's stored records, which its own readers read from the rows that the tables have published. */
export interface Records {
  /** Takes the notice that rows of a payment, or others of a partition, have changed. */
  changed(table: Table, unit: Unit): void;
  /** Shows the payments of a session again, because data outside their rows has changed. */
  touch(session: Pick<PaymentKey, "partnerId" | "sessionId">): void;
  openAlert(id: string): Alert | undefined;
  registered(terminalId: string): RegisteredView | undefined;
  inspect(id: string): Promise<InspectedPayment | undefined>;
  /** The secrets that sign the partner's webhooks. */
  webhookSecrets(partnerId: string, keys: WebhookSecretKeys): Promise<readonly string[]>;
  stop(): void;
}

/** Several changes within this time are shown together. */
const SOON_MS = 20;

export function newRecords(tables: Tables, state: Pick<LiveState, "put" | "set">): Records {
  const ports = tablePorts(tables);
  const waiting = new Map<string, Unit>();
  const wait = (unit: Unit) => void waiting.set(JSON.stringify(unit), unit);
  const days = newestDays(tables.terminals);
  const registered = registeredTerminals(ports.terminals);
  /** Partitions of terminals. Each is named as its terminal. */
  const waitingTerminals = new Set<string>();
  let haveAlertsChanged = false;
  let openAlerts: readonly Alert[] = [];
  let timer: NodeJS.Timeout | undefined;

  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void show();
    }, SOON_MS);
  };

  async function show(): Promise<void> {
    for (const partition of drained(waitingTerminals)) await showTerminal(partition).catch(sayUnread);
    if (haveAlertsChanged) await showAlerts().catch(sayUnread);
    const changed = [...waiting.values()];
    waiting.clear();
    for (const unit of changed) await showPayment(unit).catch(sayUnread);
  }

  async function showTerminal(partition: string): Promise<void> {
    await Promise.all([registered.read(partition), days.read(partition)]);
    state.set("registered", registered.all());
    state.set("days", days.all());
  }

  /** Shows nothing if the session was cancelled before it was requested, or was purged. */
  async function showPayment({ partition, prefix }: Unit): Promise<void> {
    const row = await tables.terminals.get(partition, `${prefix}now`);
    if (!row || isTombstone(row)) return;
    const payment = fromRow(row, paymentRecord);
    state.put("payments", paymentView(payment, openAlerts, registered.find(payment.terminalId)));
  }

  async function waitForSession(session: Pick<PaymentKey, "partnerId" | "sessionId">): Promise<void> {
    const found = await ports.sessions.find(session);
    if (!found) return;
    wait(unitOfPayment({ ...session, terminalId: found.terminalId }));
    soon();
  }

  /** Payments that an alert names show their number of open alerts. */
  async function showAlerts(): Promise<void> {
    haveAlertsChanged = false;
    const before = openAlerts;
    openAlerts = await ports.alerts.listOpen();
    const shown = openAlerts.map(async (alert) => {
      const place = "terminalId" in alert.subject ? registered.find(alert.subject.terminalId) : undefined;
      return alertView(alert, { place, ...(await causeOf(alert, ports)) });
    });
    state.set("alerts", await Promise.all(shown));
    for (const { subject } of [...before, ...openAlerts]) if (subject.kind === "payment") wait(unitOfPayment(subject));
  }

  return {
    changed(table, unit) {
      const { partition, prefix } = unit;
      if (prefix !== undefined) wait(unit);
      else if (table === "terminals") waitingTerminals.add(partition);
      else if (table !== "alerts") return;
      haveAlertsChanged ||= table === "alerts" || openAlerts.some((alert) => isOfAlert(alert, unit));
      soon();
    },
    touch: (session) => void waitForSession(session).catch(sayUnread),
    registered: registered.find,
    openAlert: (id) => openAlerts.find((alert) => alertId(alert) === id),
    async inspect(id) {
      const key = paymentKeyIn(id);
      const found = key && (await inspectPayment(ports, operatorCall(), key));
      return typeof found === "string" ? undefined : found;
    },
    async webhookSecrets(partnerId, keys) {
      const partner = await ports.partners.find(partnerId);
      return (partner?.webhookSecrets ?? []).map((secret) => signingSecrets(keys).open(partnerId, secret));
    },
    stop: () => clearTimeout(timer),
  };
}

/** If its cause cannot be read, an alert shows only its own text. */
async function causeOf({ kind, subject }: Alert, ports: TablePorts): Promise<Cause> {
  try {
    if (subject.kind === "payment") {
      const reports = kind === "amountDiffers" ? await ports.payments.history(subject) : [];
      return { payment: (await ports.payments.find(subject))?.payment, reports };
    }
    if (subject.kind === "terminal") return { terminalDay: (await ports.terminalDays.find(subject))?.terminalDay };
  } catch (error) {
    sayUnread(error);
  }
  return {};
}

const unitOfPayment = (key: PaymentKey): Unit => ({
  partition: terminalPartition(key.terminalId),
  prefix: paymentPrefix(key),
});

/** Whether these rows are the cause of an alert, or those of its terminal. */
function isOfAlert({ subject }: Alert, { partition, prefix }: Unit): boolean {
  if (subject.kind === "platform" || terminalPartition(subject.terminalId) !== partition) return false;
  return prefix === undefined || (subject.kind === "payment" && prefix === paymentPrefix(subject));
}

/** Empties a set, and returns its former members. */
function drained(set: Set<string>): readonly string[] {
  const all = [...set];
  set.clear();
  return all;
}

/** A row that this version cannot read must not block other rows. The next change of its partition tries again. */
const sayUnread = (error: unknown): void => console.error(error);
