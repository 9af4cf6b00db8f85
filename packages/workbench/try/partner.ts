import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { TerminalDayObject } from "../../../shared/contracts/objects/terminal-day.ts";
import type { TerminalStatusObject } from "../../../shared/contracts/objects/terminal-status.ts";
import type { TimelineObject } from "../../../shared/contracts/objects/timeline.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import { samplePayment } from "../first-payment.ts";
import { curlOf } from "../live/curl.ts";
import { typed } from "../../../infra/tools/typed-command.ts";
import type { StackFile } from "../stack/stack-file.ts";
import type { Script } from "../../terminal/simulated/scripts.ts";

/** A payment to request. */
export interface Wanted {
  /** In the major unit. */
  readonly amount: number;
  readonly captureMode: "automatic" | "manual";
  /** The name of one of the demo's terminals, or a pointOfServiceID. */
  readonly terminal: string;
  /** If undefined, webhooks go to the partner's own address. */
  readonly webhookUrl: string | undefined;
  /** The script that the terminal plays. Undefined if the terminal plays none. */
  readonly script: Script | undefined;
}

/** The platform did not answer the request with a success. */
export class Refused extends Error {
  readonly code: string;
  /** Whether the same request may succeed in a moment. */
  readonly isPassing: boolean;

  constructor(message: string, { code, isPassing }: Pick<Refused, "code" | "isPassing">) {
    super(message);
    this.code = code;
    this.isPassing = isPassing;
  }
}

interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/**
 * The demo's partner. It has a key and the addresses, like any partner's server. Each call rejects with `Refused`, or if nothing responds.
 */
export function demoPartner({ baseUrl, demo }: StackFile) {
  const call = async <Body>(path: string, body?: unknown): Promise<{ body: Body; requestId: string }> => {
    const request = {
      headers: demo.headers,
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    };
    const response = await fetch(baseUrl + path, request).catch((error: unknown) => {
      throw new Error(`Nothing responds at ${baseUrl}: start the stack with ${typed("start")}.`, { cause: error });
    });
    const received: unknown = await response.json();
    if (!response.ok) throw refusal(response.status, received as Problem);
    return { body: received as Body, requestId: response.headers.get("x-request-id") ?? "" };
  };
  const terminals: Readonly<Record<string, { readonly pointOfServiceID: string }>> = demo.terminals;
  const terminalId = (terminal: string): string => terminals[terminal]?.pointOfServiceID ?? terminal;
  const operate = (path: string, msgType: string, { sessionID, pointOfServiceID }: PaymentObject, more = {}) =>
    call(path, { msgType, sessionID, pointOfServiceID, ...more });
  return {
    /** Sends the request of a new payment. */
    async request({ amount, captureMode, terminal, webhookUrl, script }: Wanted) {
      const { responseWebhookUrl: _, ...sample } = samplePayment({ demo }, amount);
      const { body, requestId } = await call<PaymentObject>("/pos-payment-request", {
        ...sample,
        captureMode,
        ...(script?.tip !== undefined && { tip: { percents: [5, 10, 15] } }),
        pointOfServiceID: terminalId(terminal),
        pointOfServiceName:
          terminal in terminals ? `${terminal.charAt(0).toUpperCase()}${terminal.slice(1)}` : undefined,
        ...(webhookUrl !== undefined && { responseWebhookUrl: webhookUrl }),
      });
      return { payment: body, requestId };
    },
    /** Another terminal that is played. Undefined if there is none. */
    otherTerminal: (terminal: string) => Object.keys(terminals).find((name) => name !== terminal && name !== "silent"),
    payment: async (sessionID: string) => (await call<PaymentObject>(`/pos-payment/${sessionID}`)).body,
    timeline: async (sessionID: string) => (await call<TimelineObject>(`/pos-payment/${sessionID}/timeline`)).body,
    terminal: async (terminal: string) =>
      (await call<TerminalStatusObject>(`/pointOfServices/${encodeURIComponent(terminalId(terminal))}/pos-status`))
        .body,
    /** The business day of the payment's terminal on which the payment was requested. */
    day: async ({ pointOfServiceID, createdAt }: PaymentObject) =>
      (await call<TerminalDayObject>(`/pointOfServices/${pointOfServiceID}/days/${dayOf(createdAt)}`)).body,
    /** Accepts the request of a terminal. */
    accept: async (actionRequestID: string) =>
      (
        await call<{ readonly response: { readonly respondedAt: string } }>("/action-request-response", {
          actionRequestID,
          responseCode: "accepted",
        })
      ).body.response,
    cancel: (payment: PaymentObject) => operate("/pos-payment-cancel", "paymentCancel", payment),
    capture: (payment: PaymentObject) => operate("/pos-payment-capture", "paymentCapture", payment),
    /** Refunds the whole payment. The same `refundID` makes a retry safe. */
    refund: (payment: PaymentObject, refundID: string) =>
      operate("/pos-payment-refund", "paymentRefund", payment, {
        refundID,
        currency: payment.currency,
        refundAmount: payment.totalAmountInclVat,
      }),
    /** The command that captures the payment. */
    captureCommand: ({ sessionID, pointOfServiceID }: PaymentObject): string =>
      curlOf({
        method: "POST",
        url: `${baseUrl}/pos-payment-capture`,
        headers: Object.entries(demo.headers),
        body: JSON.stringify({ msgType: "paymentCapture", sessionID, pointOfServiceID }),
      }),
  };
}

export type DemoPartnerApi = ReturnType<typeof demoPartner>;

function refusal(status: number, { code = `status ${status}`, title = "The platform refused", errors = [] }: Problem) {
  const fields = errors.map(({ field, message }) => `${field} ${message}`).join(", ");
  const message = `${title} (${status} ${code})${fields === "" ? "" : `: ${fields}`}.`;
  return new Refused(message, { code, isPassing: status >= 500 || status === 429 });
}
