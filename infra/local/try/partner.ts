import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { TerminalStatusObject } from "../../../shared/contracts/objects/terminal-status.ts";
import type { TimelineObject } from "../../../shared/contracts/objects/timeline.ts";
import { samplePayment } from "../../pages/first-payment.ts";
import { curlOf } from "../../pages/live/curl.ts";
import type { StackFile } from "../../stack/stack-file.ts";

/** A payment to request. */
export interface Wanted {
  /** In the major unit. */
  readonly amount: number;
  readonly captureMode: "automatic" | "manual";
  /** The name of one of the demo's terminals, or a pointOfServiceID. */
  readonly terminal: string;
  /** If undefined, webhooks go to the partner's own address. */
  readonly webhookUrl: string | undefined;
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
      throw new Error(`Nothing responds at ${baseUrl}: start the stack with npm start.`, { cause: error });
    });
    const received: unknown = await response.json();
    if (!response.ok) throw refusal(response.status, received as Problem);
    return { body: received as Body, requestId: response.headers.get("x-request-id") ?? "" };
  };
  const terminals: Readonly<Record<string, { readonly pointOfServiceID: string }>> = demo.terminals;
  const terminalId = (terminal: string): string => terminals[terminal]?.pointOfServiceID ?? terminal;
  return {
    /** Sends the request of a new payment. */
    async request({ amount, captureMode, terminal, webhookUrl }: Wanted) {
      const { responseWebhookUrl: _, ...sample } = samplePayment({ demo }, amount);
      const { body, requestId } = await call<PaymentObject>("/pos-payment-request", {
        ...sample,
        captureMode,
        pointOfServiceID: terminalId(terminal),
        ...(webhookUrl !== undefined && { responseWebhookUrl: webhookUrl }),
      });
      return { payment: body, requestId };
    },
    payment: async (sessionID: string) => (await call<PaymentObject>(`/pos-payment/${sessionID}`)).body,
    timeline: async (sessionID: string) => (await call<TimelineObject>(`/pos-payment/${sessionID}/timeline`)).body,
    terminal: async (terminal: string) =>
      (await call<TerminalStatusObject>(`/pointOfServices/${encodeURIComponent(terminalId(terminal))}/pos-status`))
        .body,
    /** Accepts the request of a terminal. */
    accept: (actionRequestID: string) =>
      call("/action-request-response", { actionRequestID, responseCode: "accepted" }),
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
