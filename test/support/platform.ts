import { InvocationContext } from "@azure/functions";
import { workers } from "../../functions/workers.ts";
import { signingSecrets } from "../../shared/edge/auth/signing-secrets.ts";
import { keyedCodes } from "../../shared/adapters/codes/keyed-codes.ts";
import type { PaymentRequest } from "../../shared/domain/payment/requests/create-payment.ts";
import type { Terminal } from "../../shared/domain/terminal.ts";
import { after, type Instant } from "../../shared/domain/time.ts";
import { standardTimings } from "../../shared/domain/timings.ts";
import type { QueueName } from "../../shared/ports/queues.ts";
import type { Announcement, Announcements } from "../../shared/ports/announcements.ts";
import type { BareAlert, BareAlerts } from "../../shared/ports/bare-alerts.ts";
import type { Clock } from "../../shared/ports/clock.ts";
import type { Partners } from "../../shared/stores/partners.ts";
import type { MailReply, TokenMail } from "../../shared/ports/mails.ts";
import type { Terminals } from "../../shared/stores/terminals.ts";
import type { RawMessage, RawMessages } from "../../shared/ports/raw-messages.ts";
import type { ChallengeRequest, WebhookResponse, WebhookRequest } from "../../shared/ports/webhooks.ts";
import type { QueuePorts } from "../../shared/adapters/queues/queue-ports.ts";
import type { Rows } from "../../shared/ports/rows.ts";
import { eachTable, tablePorts, type Table } from "../../shared/stores/stores.ts";
import type { Caller, PartnerCall } from "../../shared/use-cases/caller.ts";
import { sharedBells } from "../../shared/use-cases/bells/shared-bells.ts";
import { feedWriter } from "../../shared/use-cases/feed/feed-writer.ts";
import { heartbeats } from "../../shared/use-cases/terminals/heartbeats.ts";
import { newestPolls } from "../../shared/use-cases/bells/newest-polls.ts";
import { aPartner } from "./a-partner.ts";
import { callOf } from "./calls.ts";
import { collectedLog } from "./collected-log.ts";
import { inMemoryRows } from "./in-memory-rows.ts";

/** A message that no worker could read, and the time for which it was deferred. */
interface PassedOn {
  readonly queue: QueueName;
  readonly message: RawMessage;
  readonly at: Instant;
}

interface Queued {
  readonly queue: QueueName;
  readonly announcement: Announcement;
  readonly enqueuedAt: Instant;
}

/** An alert without a command, on its queue. */
interface Waiting {
  readonly alert: BareAlert;
  readonly enqueuedAt: Instant;
}

export const partnerId = "aaaaaaaa-0000-4000-8000-000000000001";
export const merchantId = "bbbbbbbb-0000-4000-8000-000000000001";
export const terminalId = "cccccccc-0000-4000-8000-000000000001";
export const caller: Caller = { partnerId, keyId: "k1" };

/** A call by the partner of these tests. */
export const callBy = (machine: Parameters<typeof callOf>[0]): PartnerCall => callOf(machine, caller);

/** The places at which a measurement can be inserted between the platform and its ports. */
interface Seams {
  readonly open?: (table: Table) => Rows;
  readonly queues?: (ports: QueuePorts) => QueuePorts;
  readonly partners?: (partners: Partners, clock: Clock) => Partners;
  readonly terminals?: (terminals: Terminals, clock: Clock) => Terminals;
  /** Called with each message before its worker gets it. */
  readonly delivering?: (message: Announcement | BareAlert) => void;
  /** Gives each worker the memory of a process of its own, as in Azure. */
  readonly scaleGroups?: boolean;
}

/** Queues that keep each message until a test takes it. */
function keptQueues({ now }: Pick<Clock, "now">) {
  const queued: Queued[] = [];
  const alertsWaiting: Waiting[] = [];
  const passedOn: PassedOn[] = [];
  const dueAt = (at: Instant | undefined): Instant => (at !== undefined && at > now() ? at : now());
  const announcements: Announcements = {
    async send(queue, announcement, at) {
      queued.push({ queue, announcement: structuredClone(announcement), enqueuedAt: dueAt(at) });
    },
  };
  const bareAlerts: BareAlerts = {
    async send(alert, at) {
      alertsWaiting.push({ alert: structuredClone(alert), enqueuedAt: dueAt(at) });
    },
  };
  const rawMessages: RawMessages = {
    async send(queue, message, at) {
      passedOn.push({ queue, message, at });
    },
  };
  return {
    ports: { announcements, bareAlerts, rawMessages },
    queued,
    alertsWaiting,
    passedOn,
    /** Takes the first message that is due by then. If several are due at the same moment, it takes the first one sent. */
    takeNext(until: Instant): Queued | Waiting | undefined {
      let next: Queued | Waiting | undefined;
      for (const message of [...queued, ...alertsWaiting]) {
        if (message.enqueuedAt <= until && (!next || message.enqueuedAt < next.enqueuedAt)) next = message;
      }
      if (next && "alert" in next) alertsWaiting.splice(alertsWaiting.indexOf(next), 1);
      else if (next) queued.splice(queued.indexOf(next), 1);
      return next;
    },
  };
}

/** Webhooks that are recorded and always delivered. */
const recordedWebhooks = (webhooksSent: WebhookRequest[]) => ({
  async send(request: WebhookRequest): Promise<WebhookResponse | "postponed"> {
    webhooksSent.push(request);
    return { kind: "delivered", status: 204, ms: 1 };
  },
  async challenge(_request: ChallengeRequest): Promise<WebhookResponse | "postponed"> {
    return { kind: "delivered", status: 200, ms: 1 };
  },
  nextAttemptAfter: (_attempt: number): number | undefined => 5,
});

/** Mails that are recorded and always sent. */
const recordedMails = (mailsSent: TokenMail[]) => ({
  async send(mail: TokenMail): Promise<MailReply> {
    mailsSent.push(mail);
    return { kind: "sent" };
  },
  nextAttemptAfter: (attempt: number) => (attempt < 3 ? 5 : undefined),
});

/** Makes the memory of each process. `ringer` names the process. */
function processMemory(
  tables: ReturnType<typeof tablePorts>,
  clock: Clock,
  { partners, terminals }: Pick<Required<Seams>, "partners" | "terminals">,
) {
  // A reader that reads once, because its pauses would move the clock.
  const readOnce: Clock = { now: clock.now, sleep: () => new Promise(() => {}) };
  return (ringer: string) => ({
    partners: partners(tables.partners, clock),
    terminals: terminals(tables.terminals, clock),
    bells: sharedBells({ rungBells: tables.rungBells, clock: readOnce, ringer, everyMs: 50, troubled: () => {} }),
    polls: newestPolls(),
    feed: feedWriter({ ...tables, clock }),
    heartbeats: heartbeats(standardTimings.heartbeatSeconds),
  });
}

/** The platform's use cases and workers on ports in memory, with a clock that stands still until a test moves it. */
export async function aPlatform({
  open = () => inMemoryRows(),
  queues = (ports) => ports,
  partners = (partners) => partners,
  terminals = (terminals) => terminals,
  delivering = () => {},
  scaleGroups = false,
}: Seams = {}) {
  let now: Instant = "2026-11-21T10:00:00.000Z";
  let ids = 0;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => void (now = after(now, ms / 1000)),
  };
  const { ports, takeNext, ...kept } = keptQueues(clock);
  const webhooksSent: WebhookRequest[] = [];
  const mailsSent: TokenMail[] = [];
  const log = collectedLog(clock.now);
  const tables = tablePorts(eachTable(open));
  const memory = processMemory(tables, clock, { partners, terminals });
  const deps = {
    ...tables,
    ...memory("this"),
    codes: keyedCodes({ test: "a key for codes, of this test only" }),
    signing: signingSecrets({ test: "a key for webhook secrets, of this test only" }),
    mails: recordedMails(mailsSent),
    ...queues(ports),
    webhooks: recordedWebhooks(webhooksSent),
    log,
    clock,
    newId: () => `dddddddd-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    timings: standardTimings,
    maxDeliveryCount: 50,
  };
  await deps.partners.save(aPartner({ partnerId, webhookUrl: "https://partner.example/" }), undefined);
  await deps.terminals.save(aTerminal(), undefined);
  await deps.partners.addTerminal(partnerId, terminalId);
  await deps.terminals.seen(terminalId, now);

  const depsOf = (worker: string) => (scaleGroups ? { ...deps, ...memory(worker) } : deps);
  const handlers = new Map(workers.map(({ name, handler }) => [name, handler(depsOf(name))]));
  /** Delivers one message to its worker, as the host would. */
  const handle = async (message: Queued | Waiting, deliveryCount = 1): Promise<void> => {
    const triggerMetadata = { enqueuedTimeUtc: message.enqueuedAt, deliveryCount };
    const context = new InvocationContext({ triggerMetadata });
    delivering("alert" in message ? message.alert : message.announcement);
    if ("alert" in message) await handlers.get("operator-alerts")?.(message.alert, context);
    else await handlers.get(message.queue)?.(message.announcement, context);
  };
  return {
    deps,
    ...kept,
    webhooksSent,
    mailsSent,
    log,
    handle,
    /** Moves the clock, and delivers the messages that are due by then, in order. */
    async pass(seconds = 0): Promise<void> {
      const until = after(now, seconds);
      for (;;) {
        const next = takeNext(until);
        if (!next) break;
        if (next.enqueuedAt > now) now = next.enqueuedAt;
        await handle(next);
      }
      if (until > now) now = until;
    },
  };
}
export type Platform = Awaited<ReturnType<typeof aPlatform>>;

export const aTerminal = (more: Partial<Terminal> = {}): Terminal => ({
  terminalId,
  idAsReceived: terminalId,
  partnerId,
  merchantId,
  status: "available",
  strictOrders: false,
  keyHash: "",
  pepperId: "test",
  updatedAt: "2026-11-21T09:00:00.000Z",
  ...more,
});

let sessions = 0;

/** A request for 125.50 SEK in a new session. */
export function aRequest(more: Partial<PaymentRequest> = {}): PaymentRequest {
  const sessionId = `eeeeeeee-0000-4000-8000-${String(++sessions).padStart(12, "0")}`;
  return {
    sessionId,
    merchantId,
    terminalId,
    asReceived: { sessionId, merchantId, terminalId },
    currency: "SEK",
    amount: 12_550,
    vat: 2_510,
    captureMode: "manual",
    lateApproval: "void",
    confirmDuplicate: false,
    ...more,
  };
}
