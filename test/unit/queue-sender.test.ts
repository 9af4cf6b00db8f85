import { ServiceBusError, type ServiceBusClient, type ServiceBusErrorCode } from "@azure/service-bus";
import { describe, expect, it } from "vitest";
import { Unavailable } from "../../shared/ports/failures.ts";
import { queueSender } from "../../shared/queues/queue-sender.ts";

/** The result of a send if the client throws this. */
async function thrownAs(error: unknown): Promise<unknown> {
  const sender = {
    async sendMessages() {
      throw error;
    },
  };
  const { send } = queueSender({ createSender: () => sender } as unknown as ServiceBusClient);
  const subject = { kind: "payment", partnerId: "p", sessionId: "s" } as const;
  return send("deadlines", { v: 1, subject, commandId: "c", effect: "orderUpdate" }).catch((thrown: unknown) => thrown);
}

const ofBus = (code: ServiceBusErrorCode) => new ServiceBusError("no", code);
const named = (name: string) => Object.assign(new Error("no"), { name });
const coded = (code: string) => Object.assign(new Error("no"), { code });

describe("a send that fails", () => {
  it.each([
    ["because the bus is busy", ofBus("ServiceBusy")],
    ["because the bus does not answer", ofBus("ServiceTimeout")],
    ["because the queue is full", ofBus("QuotaExceeded")],
    ["because the queue is disabled", ofBus("MessagingEntityDisabled")],
    ["because the queue is not there", ofBus("MessagingEntityNotFound")],
    ["because the key was rotated", ofBus("UnauthorizedAccess")],
    ["after several attempts", new AggregateError([ofBus("ServiceTimeout"), named("AbortError")])],
    ["after attempts that failed in their own ways", new AggregateError([ofBus("ServiceBusy"), coded("ECONNREFUSED")])],
    ["because nobody listens", coded("ECONNREFUSED")],
    ["because there is no connection", new Error("Failed to connect")],
    ["because our own patience ended", named("AbortError")],
    ["in the client's own words", named("MessagingError")],
  ])("with %s is temporary", async (_, error) => {
    expect(await thrownAs(error)).toBeInstanceOf(Unavailable);
  });

  it.each([
    ["a message that is too large for any queue", ofBus("MessageSizeExceeded")],
    ["the same after several attempts", new AggregateError([ofBus("MessageSizeExceeded"), ofBus("ServiceBusy")])],
    ["a message that cannot be written", new TypeError("circular")],
  ])("with %s is an error in the platform itself", async (_, error) => {
    expect(await thrownAs(error)).toBe(error);
  });
});
