import type { JSX } from "preact";
import type { PaymentDetail } from "../../../views/payments.ts";
import { Badge, Id, Money, Panel, type Tone } from "../../parts.tsx";
import { plainWords } from "../../text.ts";
import { wordsOf } from "../../words.ts";

/** The captured and refunded money. The state of an unwanted charge shows its reversal. */
export function MoneyPanel({ payment }: { payment: PaymentDetail }): JSX.Element {
  const { status, amount, givenTip, captured, tip, refunded, held, isInDoubt, currency } = payment;
  const { charges, discounts, refunds } = payment;
  const isCertain = wordsOf(status).isFinal && captured === 0 && !isInDoubt;
  return (
    <Panel title="Money">
      <dl class="sums">
        <Sum name="To pay" of={amount} currency={currency} />
        {givenTip !== undefined && <Sum name="Tip" of={givenTip} currency={currency} />}
        <Sum name="Captured" of={captured} currency={currency} />
        {tip > 0 && <Sum name="Of it tip" of={tip} currency={currency} />}
        <Sum name="Refunded" of={refunded} currency={currency} />
        <Sum name="The merchant has" of={isInDoubt ? undefined : held} currency={currency} />
      </dl>
      <ul class="money-lines">
        {charges.map(({ chargeId, amount, currency, status, contradiction, lines }) => (
          <Line
            key={chargeId}
            what="Charge"
            id={chargeId}
            {...{ amount, currency, status, contradiction }}
            more={lines}
          />
        ))}
        {discounts.map(({ discountId, amount, status }) => (
          <Line key={discountId} what="Discount" id={discountId} {...{ amount, currency, status }} />
        ))}
        {refunds.map(({ refundId, amount, status, reason, lines }) => (
          <Line
            key={refundId}
            what="Refund"
            id={refundId}
            {...{ amount, currency, status }}
            more={reason === undefined ? lines : [reason, ...lines]}
          />
        ))}
      </ul>
      {charges.length + discounts.length + refunds.length === 0 && (
        <p class="quiet body">{isCertain ? "No card was charged." : "No charge is known so far."}</p>
      )}
    </Panel>
  );
}

/** A sum, or "not known" if it is undefined. */
const Sum = ({ name, of, currency }: { name: string; of: number | undefined; currency: string }): JSX.Element => (
  <div class={of === 0 ? "is-none" : ""}>
    <dt>{name}</dt>
    <dd>{of === undefined ? "not known" : <Money of={of} currency={currency} />}</dd>
  </div>
);

interface LineProps {
  readonly what: string;
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly contradiction?: string | undefined;
  readonly more?: readonly string[] | undefined;
}

const Line = ({ what, id, amount, currency, status, contradiction, more = [] }: LineProps): JSX.Element => (
  <li>
    <span class="line-what">
      {what} <Id of={id} />
      {more.map((line) => (
        <small key={line} class="quiet">
          {line}
        </small>
      ))}
      {contradiction !== undefined && <small class="is-bad">{contradiction}</small>}
    </span>
    {contradiction === undefined ? (
      <Badge tone={tones[status] ?? "plain"}>{plainWords(status)}</Badge>
    ) : (
      <Badge tone="bad">{plainWords(status)}, contradicted</Badge>
    )}
    <Money of={amount} currency={currency} />
  </li>
);

const tones: Readonly<Record<string, Tone>> = {
  authorized: "good",
  captured: "good",
  applied: "good",
  succeeded: "good",
  pending: "busy",
  requested: "busy",
  reversing: "warn",
  inDoubt: "warn",
  reversalFailed: "bad",
  failed: "bad",
  refused: "bad",
};
