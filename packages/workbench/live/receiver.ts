import type { IncomingMessage, ServerResponse } from "node:http";
import { endEmpty, readWithin } from "../../local-azure/common/bounded-server.ts";
import { newForwarding } from "./forwarding.ts";
import { viewOf, type ReceiverDeps } from "./received-webhook.ts";
import type { Beside } from "./server.ts";
import type { ReceiverView, WebhookView } from "./views/webhooks.ts";

/** The built-in webhook receiver. */
export interface Receiver {
  readonly beside: Beside;
  /** Sets the response, also for the webhooks that hang. */
  set(receiver: ReceiverView): void;
  /** Takes the app's log line about an attempt to deliver an event. It says when the next attempt comes, or that none comes. */
  noteAttempt(line: AttemptLine): void;
  stop(): void;
}

/** The app's log data about an attempt. */
export interface AttemptLine {
  readonly eventId: string;
  /** When the next attempt comes, in milliseconds since 1970. Undefined if there is no further attempt. */
  readonly nextAt: number | undefined;
  /** The event was not accepted, and there is no further attempt. */
  readonly isGivenUp: boolean;
}

export const WEBHOOK_PATH = "/webhook";
/** The longest event takes 352 KiB. */
const MAX_BODY_BYTES = 512 * 1024;
/** The platform waits less long. Hanging forever would keep connections open without use. */
const HANG_MS = 60_000;

/**
 * Receives webhooks at `POST /webhook`. It responds as set, or with the response of the server to which a listener forwards them. The page
 * shows each attempt with the computation of its signature.
 */
export function newReceiver(deps: ReceiverDeps): Receiver {
  const { state } = deps;
  let answer: ReceiverView["answer"] = "200";
  const hanging = new Set<() => void>();
  let forwardedTo: string | undefined;
  const show = () => state.set("receiver", { answer, ...(forwardedTo !== undefined && { forwardedTo }) });
  const forwarding = newForwarding((address) => {
    forwardedTo = address;
    show();
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readWithin(request, MAX_BODY_BYTES);
    if (!read) return endEmpty(request, response, 413);
    const body = Buffer.from(read);
    const view = await viewOf(deps, request, body.toString());
    for (const earlier of state.all("webhooks"))
      if (earlier.eventId === view.eventId && earlier.nextAt !== undefined) state.put("webhooks", withoutNext(earlier));
    state.put("webhooks", view);
    const { id, type, eventId, attempt, isSignatureValid, headers } = view;
    const forwarded = { id, type, eventId, attempt, isSignatureValid, headers, body: body.toString("base64") };
    const answered = await forwarding.pass(forwarded);
    if (!answered) return respond(id, response);
    if (answered.retryAfter !== undefined) response.setHeader("retry-after", answered.retryAfter);
    end(id, response, answered.status);
  }

  function respond(id: string, response: ServerResponse): void {
    if (answer !== "hang") return end(id, response, Number(answer));
    const release = () => {
      hanging.delete(release);
      clearTimeout(timer);
      end(id, response, answer === "hang" ? 500 : Number(answer));
    };
    const timer = setTimeout(release, HANG_MS);
    hanging.add(release);
    response.once("close", () => {
      hanging.delete(release);
      clearTimeout(timer);
    });
  }

  function end(id: string, response: ServerResponse, status: number): void {
    if (response.destroyed) return; // the platform did not wait
    response.writeHead(status, { "content-length": 0 }).end();
    change(id, (view) => ({ ...view, answer: status }));
  }

  function change(id: string, changed: (view: WebhookView) => WebhookView): void {
    const view = state.all("webhooks").find((one) => one.id === id);
    if (view) state.put("webhooks", changed(view));
  }

  return {
    beside(request, response) {
      if (forwarding.beside(request, response)) return true;
      if ((request.url ?? "").split("?")[0] !== WEBHOOK_PATH) return false;
      if (request.method === "POST") {
        receive(request, response).catch(() => response.destroy()); // the sender has disconnected
      } else {
        endEmpty(request, response, 405);
      }
      return true;
    },
    set(receiver) {
      answer = receiver.answer;
      show();
      if (answer !== "hang") for (const release of hanging) release();
    },
    noteAttempt({ eventId, nextAt, isGivenUp }) {
      const latest = state.all("webhooks").findLast((view) => view.eventId === eventId);
      if (!latest) return;
      const next = { ...(nextAt !== undefined && { nextAt }), ...(isGivenUp && { isGivenUp }) };
      state.put("webhooks", { ...withoutNext(latest), ...next });
    },
    stop() {
      if (answer === "hang") answer = "500"; // the app's stop also waits for webhooks that arrive from now on
      for (const release of hanging) release();
      forwarding.stop();
    },
  };
}

const withoutNext = ({ nextAt: _, isGivenUp: __, ...view }: WebhookView): WebhookView => view;
