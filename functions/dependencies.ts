import type { Config } from "../shared/edge/settings/config.ts";
import { basicCredentials } from "../shared/edge/auth/basic-credentials.ts";
import { cachedPartners } from "../shared/edge/auth/cached-partners.ts";
import { cachedTerminals } from "../shared/edge/auth/cached-terminals.ts";
import { notingKeyUses } from "../shared/edge/auth/key-uses.ts";
import { rehashingKeys } from "../shared/edge/auth/rehash-keys.ts";
import { signingSecrets } from "../shared/edge/auth/signing-secrets.ts";
import { keyedCodes } from "../shared/adapters/codes/keyed-codes.ts";
import { smtpMails } from "../shared/adapters/mails/smtp-mails.ts";
import { portsOn, type QueuePorts } from "../shared/adapters/queues/queue-ports.ts";
import type { Tracing } from "../shared/adapters/tracing/tracing.ts";
import { httpWebhooks, webhookUrlCheck } from "../shared/adapters/webhooks/http-webhooks.ts";
import { readUntil } from "../shared/adapters/tables/read-until.ts";
import type { Clock, NewId } from "../shared/ports/clock.ts";
import type { Log } from "../shared/ports/log.ts";
import { tablePorts, type TablePorts } from "../shared/stores/stores.ts";
import { impairedPart } from "../shared/use-cases/alerts/impaired-part.ts";
import { newestPolls } from "../shared/use-cases/bells/newest-polls.ts";
import { sharedBells } from "../shared/use-cases/bells/shared-bells.ts";
import { feedWriter } from "../shared/use-cases/feed/feed-writer.ts";
import { heartbeats } from "../shared/use-cases/terminals/heartbeats.ts";
import type { Connections } from "./connections.ts";

/** The process that runs the app: its own name, its clock and randomness, and its records of what happens. */
export interface ThisProcess {
  readonly instance: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly tracing: Tracing;
}

export type Dependencies = ReturnType<typeof dependencies>;

/** Everything that endpoints and workers need. Each of them takes its own part. */
export function dependencies(config: Config, connections: Connections, here: ThisProcess) {
  const { clock, newId, log, tracing } = here;
  const { stores, bells, queues } = storesAndQueues(connections, here);
  return {
    ...stores,
    ...queues,
    ...outsideServers(config, tracing),
    ...credentials(config, here, { ...stores, ...queues }),
    codes: keyedCodes(config.tokenCodeKeys),
    signing: signingSecrets(config.webhookSecretKeys),
    bells,
    polls: newestPolls({ mostPolls: config.pollsOfInstance, random: Math.random }),
    feed: feedWriter({ ...stores, clock }),
    heartbeats: heartbeats(config.timings.heartbeatSeconds),
    clock,
    newId,
    log: tracing.log(log),
    timings: config.timings,
    maxDeliveryCount: config.maxDeliveryCount,
    responseTimeoutMs: 3_000,
    readUntil,
    problemPagesUrl: config.problemPagesUrl,
  };
}

/** The stores on the rows, the queues on the bus, and the bells that ring through both. */
function storesAndQueues({ rows, senders }: Connections, { instance, clock, log, tracing }: ThisProcess) {
  const { rungBells, ...stores } = tablePorts(tracing.tables(rows));
  const queues = tracing.queues(portsOn(senders));
  const bells = sharedBells({
    rungBells,
    clock,
    ringer: instance,
    everyMs: 50,
    troubled: impairedPart("bells", log, clock),
  });
  return {
    stores: { ...stores, inboxes: tracing.inboxes(stores.inboxes) },
    queues: { ...queues, announcements: bells.expecting(queues.announcements) },
    bells,
  };
}

/** The servers of partners and of mails, outside Azure. */
function outsideServers({ allowLoopbackWebhooks: allowLoopback, smtp }: Config, tracing: Tracing) {
  return {
    mails: tracing.mails(smtpMails(smtp)),
    webhooks: tracing.webhooks(httpWebhooks({ allowLoopback, random: Math.random })),
    checkWebhookUrl: webhookUrlCheck({ allowLoopback }),
  };
}

type KeyHolders = Pick<TablePorts, "partners" | "terminals"> & Pick<QueuePorts, "bareAlerts">;

/** The checks of a caller's credentials. Partners and terminals are cached, because every call of theirs reads them. */
function credentials(config: Config, { clock, log }: ThisProcess, holders: KeyHolders) {
  return {
    partners: cachedPartners(holders.partners, clock),
    terminals: cachedTerminals(holders.terminals, clock),
    checkBasic: basicCredentials(config.consumers),
    peppers: config.peppers,
    rehashKey: rehashingKeys(config.peppers, clock, log),
    noteKeyUse: notingKeyUses({ ...holders, clock, log }),
  };
}
