import type { JSX } from "preact";
import type { WebhookView } from "../../../views/webhooks.ts";
import { act } from "../../ask.ts";
import { Act, Badge, Code, Countdown, Id, Panel, prettyJson, Time } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { answerTone, answerWords } from "./answers.ts";
import { nextAttempt, type WebhookEvent } from "./events.ts";
import { HeadersTable } from "../requests/headers-table.tsx";
import { SignatureSteps } from "./signature-steps.tsx";

interface ChosenProps {
  readonly event: WebhookEvent;
  readonly attempt: WebhookView;
  readonly secret: string;
}

/** One attempt: its content, whether it is genuine, and what the platform does next. */
export const ChosenAttempt = ({ event, attempt, secret }: ChosenProps): JSX.Element => (
  <>
    <a class="back has-arrow" href={linkTo("webhooks")}>
      All events
    </a>
    <Head event={event} attempt={attempt} />
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

function Head({ event, attempt }: Omit<ChosenProps, "secret">): JSX.Element {
  const next = nextAttempt(event);
  return (
    <Panel
      title={event.type}
      aside={
        <>
          <PaymentLink sessionId={attempt.sessionId} />
          <Act onAct={() => act(`webhooks/${encodeURIComponent(attempt.id)}/resend`)}>Send it again</Act>
        </>
      }
    >
      <div class="body event-head">
        <p class="quiet">
          Event <Id of={event.id} length={16} />. Every attempt has the same identifier, so that a receiver can ignore
          duplicates.
        </p>
        <ol class="attempts" aria-label="Attempts">
          {event.attempts.toReversed().map((one) => (
            <li key={one.id}>
              <a href={linkTo("webhooks", one.id)} aria-current={one.id === attempt.id ? "true" : undefined}>
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
        </ol>
      </div>
    </Panel>
  );
}

function PaymentLink({ sessionId }: { sessionId: string | undefined }): JSX.Element | null {
  const payments = useLive((state) => state.payments);
  const id = payments?.find((payment) => payment.sessionId === sessionId)?.id;
  return id === undefined ? null : <a href={linkTo("payments", id)}>Its payment</a>;
}
