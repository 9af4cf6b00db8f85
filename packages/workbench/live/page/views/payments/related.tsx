import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { CallView } from "../../../views/calls.ts";
import type { PaymentDetail } from "../../../views/payments.ts";
import type { WebhookView } from "../../../views/webhooks.ts";
import { Badge, Panel, Time } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { answerTone, answerWords } from "../webhooks/answers.ts";

const MOST = 12;

/** The payment's requests through the gateway and its webhooks, with links to their details. */
export function Related({ payment: { sessionId } }: { payment: PaymentDetail }): JSX.Element {
  const calls = useLive((state) => state.calls);
  const webhooks = useLive((state) => state.webhooks);
  const ownCalls = useMemo(() => ofSession(calls, sessionId), [calls, sessionId]);
  const ownWebhooks = useMemo(() => ofSession(webhooks, sessionId), [webhooks, sessionId]);
  return (
    <div class="payment-pair">
      <Panel title="Requests" aside={<span class="quiet number">{ownCalls.length}</span>}>
        <ul class="link-lines">
          {ownCalls.slice(0, MOST).map((call) => (
            <li key={call.id}>
              <CallLine call={call} />
            </li>
          ))}
        </ul>
        {ownCalls.length === 0 && <p class="quiet body">This page has no request of the payment.</p>}
      </Panel>
      <Panel title="Webhooks" aside={<span class="quiet number">{ownWebhooks.length}</span>}>
        <ul class="link-lines">
          {ownWebhooks.slice(0, MOST).map((webhook) => (
            <li key={webhook.id}>
              <WebhookLine webhook={webhook} />
            </li>
          ))}
        </ul>
        {ownWebhooks.length === 0 && <p class="quiet body">The receiver of this page got no webhook of the payment.</p>}
      </Panel>
    </div>
  );
}

const ofSession = <Item extends { readonly at: number; readonly sessionId?: string }>(
  items: readonly Item[] | undefined,
  session: string,
) => (items ?? []).filter(({ sessionId }) => sessionId === session).toSorted((a, b) => b.at - a.at);

const CallLine = ({ call }: { call: CallView }): JSX.Element => (
  <a href={linkTo("requests", call.id)}>
    <Time at={call.at} />
    <span class="link-what">{call.operation}</span>
    <Badge tone={call.status < 400 ? "good" : "bad"}>{call.problem ?? call.status}</Badge>
  </a>
);

const WebhookLine = ({ webhook }: { webhook: WebhookView }): JSX.Element => (
  <a href={linkTo("webhooks", webhook.id)}>
    <Time at={webhook.at} />
    <span class="link-what">
      {webhook.type}
      {webhook.attempt > 1 && <small class="quiet"> attempt {webhook.attempt}</small>}
    </span>
    <Badge tone={answerTone(webhook.answer)}>{answerWords(webhook.answer)}</Badge>
  </a>
);
