import type { JSX } from "preact";
import type { WebhookView } from "../../../views/webhooks.ts";
import { act } from "../../ask.ts";
import { Act, Badge, Code, Countdown, Id, Panel, prettyJson, Time } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { answerTone, answerWords } from "./answers.ts";
import { nextAttempt, type WebhookEvent } from "./events.ts";
import { filterOf, queryOf } from "./filter.ts";
import { HeadersTable } from "../requests/headers-table.tsx";
import { SignatureSteps } from "./signature-steps.tsx";

interface ChosenProps {
  readonly event: WebhookEvent;
  readonly attempt: WebhookView;
  readonly secret: string;
  /** The list's filter, which the links keep. */
  readonly query: string;
}

/** One attempt: its content, whether it is genuine, and what the platform does next. */
export const ChosenAttempt = ({ event, attempt, secret, query }: ChosenProps): JSX.Element => (
  <>
    <a class="back has-arrow" href={linkTo("webhooks", undefined, query)}>
      All events
    </a>
    <Head event={event} attempt={attempt} query={query} />
    <SignatureSteps attempt={attempt} secret={secret} />
    <Panel title="Body">
      <div class="body">
        <Code label="Body">{prettyJson(attempt.body)}</Code>
      </div>
    </Panel>
    <Panel title="Headers">
      <HeadersTable headers={attempt.headers} label="Headers" />
    </Panel>
  </>
);

function Head({ event, attempt, query }: Omit<ChosenProps, "secret">): JSX.Element {
  const next = nextAttempt(event);
  return (
    <Panel
      title={event.type}
      aside={
        <>
          <PaymentLinks event={event} />
          <Act onAct={() => act(`webhooks/${encodeURIComponent(attempt.id)}/resend`)}>Send it again</Act>
        </>
      }
    >
      <div class="body event-head">
        <dl class="facts">
          <dt>webhook-id</dt>
          <dd>
            <Id of={event.id} length={event.id.length} />
          </dd>
        </dl>
        <p class="quiet">Every attempt has the same webhook-id, so that a receiver can ignore duplicates.</p>
        <ol class="attempts" aria-label="Attempts">
          {event.attempts.toReversed().map((one) => (
            <li key={one.id}>
              <a href={linkTo("webhooks", one.id, query)} aria-current={one.id === attempt.id ? "true" : undefined}>
                <span>Attempt {one.attempt}</span>
                <Time at={one.at} />
                <Badge tone={answerTone(one.answer)}>{answerWords(one.answer)}</Badge>
              </a>
            </li>
          ))}
          {next !== undefined && (
            <li class="attempt-next">
              <span>Next attempt in</span> <Countdown to={next} />
            </li>
          )}
          {event.outcome === "givenUp" && <li class="attempt-next">Given up: the platform does not try again</li>}
        </ol>
      </div>
    </Panel>
  );
}

/** The event's payment, and the other events about it. */
function PaymentLinks({ event: { payment } }: { event: WebhookEvent }): JSX.Element | null {
  if (!payment) return null;
  return (
    <>
      <a href={linkTo("webhooks", undefined, queryOf({ ...filterOf(""), text: payment.sessionId }))}>All its events</a>
      <a href={linkTo("payments", payment.id)}>Its payment</a>
    </>
  );
}
