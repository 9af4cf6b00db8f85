import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import type { DemoPartner } from "../../infra/local/seed.ts";
import { partnerHeaders, type StackFile } from "../../infra/local/stack.ts";
import {
  terminalClient,
  type TerminalClient,
  type TerminalMessage,
} from "../../infra/local/terminal/terminal-client.ts";
import type { PaymentObject } from "../../shared/contracts/payment-object.ts";
import type { ProblemObject } from "../../shared/contracts/problem.ts";
import type { TestFile } from "./running-stack.ts";
import { waitFor } from "./wait-for.ts";

export interface HttpAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A partner's server as a black-box test plays it: it knows addresses and keys, and nothing of how the platform is made. */
export function partnerFor(file: TestFile) {
  return partnerOn(inject("stack"), inject("partners")[file] ?? inject("stack").demo);
}

export function partnerOn(stack: StackFile, partner: DemoPartner) {
  const { subscriptionKey } = stack.demo;
  const headers: Record<string, string> = partnerHeaders(partner.apikey, subscriptionKey);

  async function send<Body = PaymentObject>(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ) {
    const response = await fetch(`${stack.partnersUrl}${path}`, {
      method,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  /** A request in the specification's own shape: only its fields. */
  const request = (more: Record<string, unknown> = {}) => ({
    sessionID: randomUUID(),
    msgType: "paymentRequest",
    merchantID: partner.merchantID,
    merchantName: "A merchant",
    pointOfServiceID: partner.terminals.silent.pointOfServiceID,
    pointOfServiceName: "A terminal",
    totalAmountInclVat: 125.5,
    totalVatAmount: 25.1,
    currency: "SEK",
    merchantReferences: { orderId: randomUUID(), paymentId: randomUUID() },
    _id: randomUUID(),
    ...more,
  });

  return {
    partner,
    headers,
    send,
    request,
    pay: (body: unknown) => send("POST", "/pos-payment-request", body),
    refused: (method: string, path: string, body?: unknown, more?: Record<string, string>) =>
      send<ProblemObject>(method, path, body, more),
    read: async (sessionID: string) => (await send("GET", `/pos-payment/${sessionID}`)).body,
    /** Waits until the payment has one of these states. */
    async until(sessionID: string, ...states: string[]): Promise<PaymentObject> {
      return waitFor(`payment ${states.join(" or ")}`, async () => {
        const { body } = await send("GET", `/pos-payment/${sessionID}`);
        return states.includes(body.status) ? body : undefined;
      });
    },
    silent: handsOn(
      terminalClient({
        terminalsUrl: stack.terminalsUrl,
        terminalKey: partner.terminals.silent.terminalKey,
      }),
    ),
  };
}

/** The silent terminal, played by the test. */
function handsOn(client: TerminalClient) {
  return {
    client,
    /** Asks once, so that the terminal counts as online. */
    online: async () => client.next(0),
    /** The next message, waited for. */
    next: (): Promise<TerminalMessage> => waitFor("a message for the terminal", async () => client.next(2)),
    /** Reports what happened, in answer to a message. */
    async tell(
      message: Pick<TerminalMessage, "sessionID" | "messageID">,
      type: string,
      more: Record<string, unknown> = {},
    ) {
      const { sessionID, messageID } = message;
      return client.report({
        reportID: randomUUID(),
        type,
        ...(sessionID !== undefined && { sessionID }),
        messageID,
        ...more,
      });
    },
  };
}
