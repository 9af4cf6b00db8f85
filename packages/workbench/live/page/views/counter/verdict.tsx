import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import type { TerminalView } from "../../../views/terminals.ts";
import type { WebhookView } from "../../../views/webhooks.ts";
import { Act, Id, Money, Status } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { SendOnce } from "../../send-once.tsx";
import { useLive } from "../../store.ts";
import {
  answerAction,
  cancelPayment,
  captureRequest,
  discountRequest,
  payableOf,
  refundRequest,
  type TillRequest,
} from "../../till.ts";
import { majorText } from "../../text.ts";
import { amountOf, standingOf } from "../../words.ts";
import { AlertLines } from "./alert-lines.tsx";

/** The platform's state of the terminal's last payment, and the shop's possible actions. */
export const Verdict = ({
  terminal,
  payment,
}: {
  terminal: TerminalView;
  payment: PaymentView | undefined;
}): JSX.Element => (
  <section class="verdict" aria-label="The platform says">
    <h2>The platform says</h2>
    {payment ? (
      <Standing payment={payment} />
    ) : (
      <p class="quiet">
        This terminal has had no payment yet. Press <b>Request payment</b>.
      </p>
    )}
    <Question terminal={terminal} />
  </section>
);

function Standing({ payment }: { payment: PaymentView }): JSX.Element {
  const { reason, amount, givenTip = 0, captured, refunded, currency, id, sessionId } = payment;
  const standing = standingOf(payment);
  const isOther = ![amount, amount + givenTip].includes(amountOf(payment));
  return (
    <>
      <div aria-live="polite">
        <p class="verdict-line">
          <Status of={standing} reason={reason} />
          <strong>
            <Money of={amountOf(payment)} currency={currency} />
          </strong>
          {isOther && (
            <span class="quiet is-small">
              of <Money of={amount} currency={currency} />
            </span>
          )}
          {givenTip > 0 && (
            <span class="quiet is-small">
              <Money of={givenTip} currency={currency} /> tip
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
        <AlertLines payment={payment} />
      </div>
      <Shop key={sessionId} payment={payment} />
      <p class="quiet is-small verdict-links">
        <a href={linkTo("payments", id)}>See the payment in Payments</a>
        <Id of={sessionId} />
      </p>
    </>
  );
}

/** An action of the shop, with its initial amount. */
interface MoneyAction {
  readonly label: string;
  readonly first: (of: PaymentView) => number;
  readonly request: (of: PaymentView, amount: number) => TillRequest;
}
const discount: MoneyAction = { label: "Discount", first: () => 1_000, request: discountRequest };
/** The shop's action in each state. */
const takesMoney: Readonly<Record<string, MoneyAction>> = {
  pending: discount,
  inProgress: discount,
  authorized: { label: "Capture", first: ({ amount, givenTip = 0 }) => amount + givenTip, request: captureRequest },
  captured: { label: "Refund", first: ({ held }) => held, request: refundRequest },
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
    <form class="shop" aria-label="The shop's actions" onSubmit={(event) => event.preventDefault()}>
      <input
        class="is-short"
        inputMode="decimal"
        aria-label={`Amount of the ${money.label.toLowerCase()}`}
        value={shown}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <SendOnce
        purpose={`${money.label} ${payment.id}`}
        request={() => money.request(payment, amount ?? 0)}
        disabled={amount === undefined}
        onSent={() => setText(undefined)}
        about={shown}
      >
        {money.label}
      </SendOnce>
      {canBeCancelled.includes(status) && (
        <Act kind="danger" onAct={() => cancelPayment(payment)}>
          Cancel payment
        </Act>
      )}
      {money === discount && (
        <p class="quiet is-small">
          To spend a customer's voucher, open its mail in <a href={linkTo("mails")}>Mails</a>.
        </p>
      )}
    </form>
  );
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
