import type { JSX } from "preact";
import { Badge, Countdown, Time } from "../../parts.tsx";
import { counted } from "../../text.ts";
import { answerTone, answerWords } from "./answers.ts";
import { nextAttempt, type WebhookEvent } from "./events.ts";

/** One event as a row of the list, with the state of its newest attempt. */
export function EventRow({ event }: { event: WebhookEvent }): JSX.Element {
  const [last] = event.attempts;
  const next = nextAttempt(event);
  return (
    <span class="event-row">
      <Time at={last.at} />
      <span class="event-what">
        <b>{event.type}</b>
        <span class="quiet">
          {counted(event.attempts.length, "attempt")}
          {next !== undefined && (
            <>
              , next in <Countdown to={next} />
            </>
          )}
        </span>
      </span>
      <span class="event-badges">
        {!last.isSignatureValid && <Badge tone="bad">bad signature</Badge>}
        <Badge tone={answerTone(last.answer)}>{answerWords(last.answer)}</Badge>
      </span>
    </span>
  );
}
