import type { JSX } from "preact";
import { Badge, Countdown, Time } from "../../parts.tsx";
import { counted, moneyText } from "../../text.ts";
import { amountOf } from "../../words.ts";
import { answerTone, answerWords } from "./answers.ts";
import { nextAttempt, type WebhookEvent } from "./events.ts";

/** One event as a row of the list, with the state of its newest attempt. */
export function EventRow({ event }: { event: WebhookEvent }): JSX.Element {
  const [last] = event.attempts;
  const next = nextAttempt(event);
  return (
    <span class="event-row">
      <Time at={last.at} />
      <b>{event.type}</b>
      <span class="event-badges">
        {!last.isSignatureValid && <Badge tone="bad">bad signature</Badge>}
        {event.outcome === "givenUp" && <Badge tone="bad">given up</Badge>}
        <Badge tone={answerTone(last.answer)}>{answerWords(last.answer)}</Badge>
      </span>
      <span class="event-about quiet">{aboutOf(event)}</span>
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

/** The payment's order and amount. */
function aboutOf({ payment, attempts: [last] }: WebhookEvent): string {
  if (payment)
    return `${payment.orderId ?? payment.sessionId.slice(0, 8)} · ${moneyText(amountOf(payment), payment.currency)}`;
  return last.sessionId?.slice(0, 8) ?? "no payment";
}
