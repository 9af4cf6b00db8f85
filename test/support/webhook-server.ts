import { buffer } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { challengeNonce, type WebhookEvent } from "../../clients/partners/index.ts";
import type { EventEnvelope } from "../../shared/contracts/events/events.ts";
import type { ActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import type { PaymentObject } from "../../shared/contracts/objects/payment.ts";
import type { TerminalDayObject } from "../../shared/contracts/objects/terminal-day.ts";
import { keepAnswer } from "./answers.ts";
import { complaintsAboutWebhook } from "./api-documents.ts";
import { waitFor, type Patience } from "./wait-for.ts";
import { listenForWebhooks } from "./webhook-listener.ts";

export interface ReceivedWebhook {
  readonly webhookId: string;
  readonly body: string;
  readonly event: EventEnvelope<PaymentObject | ActionRequestObject | TerminalDayObject>;
  readonly headers: Readonly<Record<string, string>>;
}

/** A partner's webhook server. It stores webhooks that verify with its secret, and responds as the test says, at once or later. */
export async function startWebhookServer(
  secret: string,
  answer: (attempt: number) => number | Promise<number> = () => 204,
  patience: Patience = {},
) {
  const verifier = new Webhook(secret);
  const received: ReceivedWebhook[] = [];
  const unverified: string[] = [];
  const { url, lose, close } = await listenForWebhooks((request, response) => {
    void (async () => {
      const bytes = await buffer(request);
      const body = bytes.toString();
      const headers = request.headers as Record<string, string>;
      try {
        verifier.verify(body, headers);
        const nonce = challengeNonce(JSON.parse(body) as WebhookEvent);
        if (nonce !== undefined) return void response.writeHead(200).end(nonce);
        const verdict = { operationId: "webhook", status: "none", complaints: complaintsAboutWebhook(body) };
        keepAnswer(verdict, { headers, body: bytes });
        received.push({
          webhookId: headers["webhook-id"] ?? "",
          body,
          event: JSON.parse(body) as ReceivedWebhook["event"],
          headers,
        });
      } catch (error) {
        unverified.push(String(error));
      }
      response.writeHead(await answer(received.length)).end();
    })();
  });
  const types = (id: string) => received.filter((r) => isAbout(r, id)).map((r) => r.event.type);
  return {
    url,
    received,
    unverified,
    types,
    /** Fails at once if a webhook does not verify, because it may be the awaited one. */
    until(type: string, id: string) {
      const arrived = async () => {
        const [reason] = unverified;
        if (reason !== undefined) throw new Error(`${unverified.length} arrived that do not verify: ${reason}`);
        return received.find((r) => r.event.type === type && isAbout(r, id));
      };
      return waitFor(`the webhook ${type}`, arrived, { ...patience, show: () => types(id) });
    },
    lose,
    close,
  };
}

/** Whether it is about this session, this action request, a day of this terminal, or the settlement of this day. */
function isAbout({ event: { data } }: ReceivedWebhook, id: string): boolean {
  if ("date" in data) return data.date === id;
  if ("businessDay" in data) return data.pointOfServiceID === id;
  return data.sessionID === id || ("actionRequestID" in data && data.actionRequestID === id);
}
