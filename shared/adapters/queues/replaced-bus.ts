import type { ServiceBusClient } from "@azure/service-bus";

/** So many sends in a row without any answer mean that the connection is lost. */
const LOST_AFTER = 2;
/** A bus that does not answer at all would otherwise get a connection with every second send. */
const REPLACE_EVERY_MS = 10_000;

/** The connection of the senders to the bus. */
export interface Bus {
  /** The client to use now. Ask for it again before each use. */
  client(): ServiceBusClient;
  /** Notes the end of a send over this client: whether the bus answered in any way, also with a refusal. */
  sent(over: ServiceBusClient, isAnswered: boolean): void;
}

/**
 * Replaces the client when its connection is lost without a FIN. Such a connection looks open to the client for two minutes, which is twice
 * its idle time-out. After two sends in a row without any answer, the next send gets a new client. The old one is closed.
 *
 * @param connect builds a client, which connects when it is first used
 * @param now milliseconds of a monotonic clock
 */
export function replacedBus(connect: () => ServiceBusClient, now: () => number): Bus {
  let client = connect();
  let unanswered = 0;
  let replacedAt = -Infinity;
  return {
    client: () => client,
    sent(over, isAnswered) {
      if (over !== client) return; // it was replaced while the send ran
      unanswered = isAnswered ? 0 : unanswered + 1;
      if (unanswered < LOST_AFTER || now() - replacedAt < REPLACE_EVERY_MS) return;
      [client, unanswered, replacedAt] = [connect(), 0, now()];
      over.close().catch(() => {}); // a lost connection does not answer the close either, so nothing waits for it
    },
  };
}
