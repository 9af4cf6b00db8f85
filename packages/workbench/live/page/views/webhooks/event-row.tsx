import type { JSX } from "preact";
import { Badge, Countdown, Time } from "../../parts.tsx";
import { counted } from "../../text.ts";
import { answerTone, answerWords } from "./answers.ts";
import { amountIn, nextAttempt, type WebhookEvent } from "./events.ts";

/** One event as a row of the list, with the state of its newest attempt. */
export function EventRow({ event }: { event: WebhookEvent }): JSX.Element {
  const [last] = event.attempts;
  const next = nextAttempt(event);
  const amount = amountIn(last.body);
  return (
    <span class="event-row">
      <Time at={last.at} />
      <b>{event.type}</b>
      <span class="event-badges">
        {!last.isSignatureValid && <Badge tone="bad">bad signature</Badge>}
        {event.outcome === "givenUp" && <Badge tone="bad">given up</Badge>}
        <Badge tone={answerTone(last.answer)}>{answerWords(last.answer)}</Badge>
      </span>
      <span class="event-about quiet">
        <span class="event-order">{orderOf(event)}</span>
        {amount !== undefined && <span> · {amount}</span>}
      </span>
      <span class="event-tries quiet">
        {counted(event.attempts.length, "attempt")}
        {next !== undefined && (
          <>
            , next in <Countdown to={next} />
          </>
        )}
      </span>
    </span>
  );
}

/** The payment's order, or the first characters of its session. */
function orderOf({ payment, attempts: [last] }: WebhookEvent): string {
  return payment?.orderId ?? last.sessionId?.slice(0, 8) ?? "no payment";
}
