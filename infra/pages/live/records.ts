import { signingSecrets, type WebhookSecretKeys } from "../../../shared/auth/signing-secrets.ts";
import type { Alert } from "../../../shared/domain/alert.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { paymentPartition, terminalDayPartition } from "../../../shared/stores/keys.ts";
import { tablePorts, type Table, type Tables } from "../../../shared/stores/stores.ts";
import { inspectPayment, type InspectedPayment } from "../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { operatorCall } from "../../operator/common/platform.ts";
import { alertId, alertView, type Cause } from "./alerts.ts";
import { newestDays } from "./days.ts";
import { paymentIn, paymentKeyIn, paymentView } from "./payments.ts";
import type { LiveState } from "./state.ts";

/** The platform's stored records, which its own readers read from the rows that the tables have published. */
export interface Records {
  /** Takes the notice that rows of a partition have changed. */
  changed(table: Table, partition: string): void;
  /** Shows the payment again, because data outside its rows has changed. */
  touch(key: PaymentKey): void;
  openAlert(id: string): Alert | undefined;
  inspect(id: string): Promise<InspectedPayment | undefined>;
  /** The secrets that sign the partner's webhooks. */
  webhookSecrets(partnerId: string, keys: WebhookSecretKeys): Promise<readonly string[]>;
  stop(): void;
}

/** Several changes within this time are shown together. */
const SOON_MS = 20;

export function newRecords(tables: Tables, state: Pick<LiveState, "put" | "set">): Records {
  const ports = tablePorts(tables);
  const waiting = new Set<string>();
  const days = newestDays(tables.terminalDays);
  const waitingDays = new Set<string>();
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
    if (haveAlertsChanged) await showAlerts().catch(sayUnread);
    for (const partition of drained(waitingDays)) await showDays(partition).catch(sayUnread);
    for (const partition of drained(waiting)) await showPayment(partition).catch(sayUnread);
  }

  async function showDays(partition: string): Promise<void> {
    await days.read(partition);
    state.set("days", days.all());
  }

  async function showPayment(partition: string): Promise<void> {
    const payment = await paymentIn(tables.payments, partition);
    if (payment) state.put("payments", paymentView(payment, openAlerts));
  }

  /** Payments that an alert names show their number of open alerts. */
  async function showAlerts(): Promise<void> {
    haveAlertsChanged = false;
    const before = openAlerts;
    openAlerts = await ports.alerts.listOpen();
    const shown = openAlerts.map(async (alert) => alertView(alert, await causeOf(alert)));
    state.set("alerts", await Promise.all(shown));
    for (const { subject } of [...before, ...openAlerts])
      if (subject.kind === "payment") waiting.add(paymentPartition(subject));
  }

  /** If its cause cannot be read, an alert shows only its own text. */
  async function causeOf({ kind, subject }: Alert): Promise<Cause> {
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

  return {
    changed(table, partition) {
      if (table === "payments") waiting.add(partition);
      else if (table === "terminalDays") waitingDays.add(partition);
      else if (table !== "alerts") return;
      haveAlertsChanged ||= table === "alerts" || openAlerts.some((alert) => causePartition(alert) === partition);
      soon();
    },
    touch(key) {
      waiting.add(paymentPartition(key));
      soon();
    },
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

/** The partition that stores the cause of an alert. */
function causePartition({ subject }: Alert): string | undefined {
  if (subject.kind === "payment") return paymentPartition(subject);
  return subject.kind === "terminal" ? terminalDayPartition(subject) : undefined;
}

/** Empties a set, and returns its former members. */
function drained(set: Set<string>): readonly string[] {
  const all = [...set];
  set.clear();
  return all;
}

/** A row that this version cannot read must not block other rows. The next change of its partition tries again. */
const sayUnread = (error: unknown): void => console.error(error);
