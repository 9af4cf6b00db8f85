import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import type { DemoPartner } from "../../infra/operator/common/seed.ts";
import { partnerHeaders, type StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { terminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import type { PaymentObject } from "../../shared/contracts/objects/payment.ts";
import type { ProblemObject } from "../../shared/contracts/objects/problem.ts";
import type { toTerminalStatusObject } from "../../shared/contracts/objects/terminal-status.ts";
import type { TimelineObject } from "../../shared/contracts/objects/timeline.ts";
import type { PartnerName } from "./running-stack.ts";
import { silentTerminal } from "./silent-terminal.ts";
import { waitFor, type Patience } from "./wait-for.ts";

/** The names of a payment, from a payment object or the request for it. */
export interface PaymentTarget {
  readonly sessionID: string;
  readonly pointOfServiceID: string;
}
type TerminalStatus = ReturnType<typeof toTerminalStatusObject>;

export interface HttpAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A partner's server as a black-box test plays it. It knows addresses and keys, and nothing of the implementation. */
export function partnerFor(name: PartnerName) {
  return partnerOn(inject("stack"), inject("partners")[name] ?? inject("stack").demo);
}

/** The parts of a stack that a partner's server must know. */
export interface PlatformOfPartner extends Pick<StackFile, "baseUrl" | "terminalsUrl"> {
  readonly demo: Pick<StackFile["demo"], "subscriptionKey">;
}

export function partnerOn(stack: PlatformOfPartner, partner: DemoPartner, patience: Patience = {}) {
  const { subscriptionKey } = stack.demo;
  const headers: Record<string, string> = partnerHeaders(partner.apikey, subscriptionKey);

  async function sendOnce<Body>(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const response = await fetch(`${stack.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  /** Sends a request, and repeats it after a 503, as the contract says. On a busy machine a call of the platform may time out. */
  async function send<Body = PaymentObject>(...of: Parameters<typeof sendOnce>): Promise<HttpAnswer<Body>> {
    for (let tries = 1; ; tries++) {
      const answer = await sendOnce<Body>(...of);
      if (answer.status !== 503 || tries === 5) return answer;
      await sleep(Number(answer.headers.get("retry-after")) * 1_000);
    }
  }

  /** A request in the specification's own shape, with only its fields. */
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

  /** A request for an operation on an existing payment, in the specification's own shape, with additional members. */
  const operation =
    (path: string, msgType: string) =>
    async (of: PaymentTarget, more: Record<string, unknown> = {}, headers?: Record<string, string>) => {
      const { sessionID, pointOfServiceID } = of;
      return send("POST", path, { sessionID, pointOfServiceID, msgType, ...more }, headers);
    };
  const refund = operation("/pos-payment-refund", "paymentRefund");

  return {
    partner,
    headers,
    send,
    request,
    /** A request on the autopilot, which acts on the amount's minor digits. */
    onAutopilot: (more: Record<string, unknown> = {}) =>
      request({ pointOfServiceID: partner.terminals.autopilot.pointOfServiceID, ...more }),
    cancel: operation("/pos-payment-cancel", "paymentCancel"),
    capture: operation("/pos-payment-capture", "paymentCapture"),
    refund: async (
      of: PaymentTarget,
      refundAmount: number,
      more: Record<string, unknown> = {},
      headers?: Record<string, string>,
    ) => refund(of, { currency: "SEK", refundAmount, refundReason: "a return", ...more }, headers),
    discount: async (body: unknown, headers: Record<string, string> = {}) =>
      send("POST", "/add-discount", body, headers),
    setStatus: async (statusCode: string, pointOfServiceID: string) =>
      send<TerminalStatus>("PATCH", "/set-pos-status", { statusCode, pointOfServiceID }),
    status: async (pointOfServiceID: string) =>
      (await send<TerminalStatus>("GET", `/pointOfServices/${pointOfServiceID}/pos-status`)).body,
    timeline: async (sessionID: string) =>
      (await send<TimelineObject>("GET", `/pos-payment/${sessionID}/timeline`)).body,
    pay: (body: unknown, headers: Record<string, string> = {}) => send("POST", "/pos-payment-request", body, headers),
    /** Sends a request once, for any response. */
    refused: (...of: Parameters<typeof sendOnce>) => sendOnce<ProblemObject>(...of),
    read: async (sessionID: string) => (await send("GET", `/pos-payment/${sessionID}`)).body,
    /** Waits until the payment has one of these states. */
    async until(sessionID: string, ...states: string[]): Promise<PaymentObject> {
      const payment = async () => (await send("GET", `/pos-payment/${sessionID}`)).body;
      const until = ({ status }: PaymentObject) => states.includes(status);
      return waitFor(`a payment that is ${states.join(" or ")}`, payment, { ...patience, until });
    },
    silent: silentTerminal(
      terminalClient({
        terminalsUrl: stack.terminalsUrl,
        terminalKey: partner.terminals.silent.terminalKey,
      }),
      patience,
    ),
  };
}

/** Whether the response is a replay of an earlier one. */
export const isReplay = ({ headers }: HttpAnswer<unknown>): boolean => headers.get("idempotent-replayed") === "true";
