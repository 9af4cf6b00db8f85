import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import type { TerminalView } from "../../../views/terminals.ts";
import type { WebhookView } from "../../../views/webhooks.ts";
import { Act, Id, Money, Status } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { answerAction, cancelPayment, capturePayment, discountPayment, payableOf, refundPayment } from "../../till.ts";
import { majorText } from "../../text.ts";
import { amountOf, standingOf } from "../../words.ts";

/** The platform's state of the terminal's last payment, and the shop's possible actions. */
export function Verdict({ terminal }: { terminal: TerminalView }): JSX.Element {
  const payment = useLive(({ payments }) => payments.find(({ terminalId }) => terminalId === terminal.id));
  return (
    <section class="verdict" aria-label="The platform says">
      <h2>The platform says</h2>
      {payment ? (
        <Standing payment={payment} />
      ) : (
        <p class="quiet">This terminal has had no payment yet. Request one at the till.</p>
      )}
      <Question terminal={terminal} />
    </section>
  );
}

function Standing({ payment }: { payment: PaymentView }): JSX.Element {
  const { reason, amount, captured, refunded, currency, id, sessionId, alerts } = payment;
  const standing = standingOf(payment);
  return (
    <>
      <div aria-live="polite">
        <p class="verdict-line">
          <Status of={standing} reason={reason} />
          <strong>
            <Money of={amountOf(payment)} currency={currency} />
          </strong>
          {amountOf(payment) !== amount && (
            <span class="quiet is-small">
              of <Money of={amount} currency={currency} />
            </span>
          )}
          {refunded > 0 && (
            <span class="quiet is-small">
              <Money of={refunded} currency={currency} /> of <Money of={captured} currency={currency} /> refunded
            </span>
          )}
        </p>
        <p>
          {standing.means} {reason !== undefined && <span class="quiet">{reason}</span>}
        </p>
        {alerts > 0 && (
          <p class="is-bad">
            An operator is called: <a href={linkTo("alerts")}>{alerts === 1 ? "one alert" : `${alerts} alerts`}</a>.
          </p>
        )}
      </div>
      <Shop key={sessionId} payment={payment} />
      <p class="quiet is-small verdict-links">
        <a href={linkTo("payments", id)}>See the payment in Payments</a>
        <Id of={sessionId} />
      </p>
    </>
  );
}

/** The shop's possible actions in each state, with their initial amounts. */
const takesMoney: Readonly<Record<string, { readonly label: string; readonly first: (of: PaymentView) => number }>> = {
  pending: { label: "Discount", first: () => 1_000 },
  inProgress: { label: "Discount", first: () => 1_000 },
  authorized: { label: "Capture", first: ({ amount }) => amount },
  captured: { label: "Refund", first: ({ held }) => held },
};
const canBeCancelled: readonly string[] = ["pending", "inProgress", "authorized"];

function Shop({ payment }: { payment: PaymentView }): JSX.Element | null {
  const { status, currency } = payment;
  const money = takesMoney[status];
  const [text, setText] = useState<string>();
  if (!money || money.first(payment) <= 0) return null;
  const shown = text ?? majorText(money.first(payment), currency);
  const amount = payableOf(shown, currency);
  return (
    <div class="shop" role="group" aria-label="The shop's actions">
      <input
        class="is-short"
        inputMode="decimal"
        aria-label={`Amount of the ${money.label.toLowerCase()}`}
        value={shown}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Act disabled={amount === undefined} onAct={() => asked(payment, amount ?? 0).then(() => setText(undefined))}>
        {money.label}
      </Act>
      {canBeCancelled.includes(status) && (
        <Act kind="danger" onAct={() => cancelPayment(payment)}>
          Cancel payment
        </Act>
      )}
    </div>
  );
}

function asked(payment: PaymentView, amount: number): Promise<void> {
  if (payment.status === "captured") return refundPayment(payment, amount);
  if (payment.status === "authorized") return capturePayment(payment, amount);
  return discountPayment(payment, amount);
}

/** The terminal's question, which the shop's server received as a webhook. */
const Question = ({ terminal }: { terminal: TerminalView }): JSX.Element | null =>
  terminal.display.mode === "question" ? <OpenQuestion of={terminal.id} /> : null;

function OpenQuestion({ of }: { of: string }): JSX.Element | null {
  const action = useLive(({ webhooks }) => lastAsked(webhooks, of));
  if (!action) return null;
  return (
    <div class="question" role="group" aria-label="The terminal asks the shop">
      <p>
        <strong>The terminal asks the shop:</strong> {action.text}
      </p>
      <div class="shop">
        <Act kind="main" onAct={() => answerAction("accepted", action.id)}>
          Accept
        </Act>
        <Act onAct={() => answerAction("declined", action.id)}>Decline</Act>
      </div>
    </div>
  );
}

interface Asked {
  readonly id: string;
  readonly terminal: string;
  readonly text: string;
}

function lastAsked(webhooks: readonly WebhookView[], terminal: string): Asked | undefined {
  for (const webhook of webhooks) {
    const action = actionIn(webhook);
    if (action?.terminal === terminal) return action;
  }
  return undefined;
}

/** The action request that an event announces. Undefined for any other event. */
function actionIn({ type, body }: WebhookView): Asked | undefined {
  if (type !== "actionRequest.created") return undefined;
  const { actionRequestID: id, pointOfServiceID: terminal, description, actionCode } = dataIn(body);
  if (!isText(id) || !isText(terminal)) return undefined;
  return { id, terminal, text: [description, actionCode].find(isText) ?? "" };
}

const isText = (value: unknown): value is string => typeof value === "string";

/** The members of an event's `data`. Empty if there is no `data`. */
function dataIn(body: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(body) as { readonly data?: object } | null)?.data };
  } catch {
    return {};
  }
}
