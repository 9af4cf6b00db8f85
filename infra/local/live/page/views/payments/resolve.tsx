import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import { act } from "../../ask.ts";
import { Act, Panel } from "../../parts.tsx";
import { majorText, minorOf, moneyText } from "../../text.ts";
import { wordsOf } from "../../words.ts";

type Resolved = Pick<PaymentView, "id" | "sequence" | "status" | "amount" | "currency" | "alerts">;

/** States in which only a person may know how the money stands. */
const inDoubt = new Set(["reconciling", "captureRequested", "voidRequested"]);
export const mayBeResolved = ({ status, alerts }: Resolved): boolean => alerts > 0 || inDoubt.has(status);

/** What an operator does once the acquirer has said how the money stands. */
export function Resolve({ payment }: { payment: Resolved }): JSX.Element {
  const { id, sequence, status, amount, currency } = payment;
  const [typed, setTyped] = useState<string>();
  const isInDoubt = inDoubt.has(status);
  const text = typed ?? majorText(amount, currency);
  const taken = minorOf(text, currency);
  const resolve = (outcome: "paid" | "unpaid", more: object = {}) =>
    act(`payments/${id.split("/").map(encodeURIComponent).join("/")}/resolve`, { outcome, sequence, ...more });
  return (
    <Panel tone="warn" title={isInDoubt ? "How does the money stand?" : "Correct how the money stands"}>
      <div class="body resolve">
        {isInDoubt ? (
          <p class="quiet">
            The platform does not guess. Record what the acquirer&#8217;s list says of this payment: it ends, and the
            partner is notified.
          </p>
        ) : (
          <p class="quiet">
            The payment is {wordsOf(status).label}. Only where the acquirer&#8217;s list says something else, record it:
            the partner is notified.
          </p>
        )}
        <div class="resolve-deeds">
          <label>
            Amount taken, {currency}
            <input
              inputMode="decimal"
              value={text}
              aria-invalid={taken === undefined}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
          <Act
            kind={isInDoubt ? "main" : "plain"}
            disabled={taken === undefined}
            onAct={() => resolve("paid", taken === amount ? {} : { amount: taken })}
          >
            {taken === undefined ? "Paid" : `Paid ${moneyText(taken, currency)}`}
          </Act>
          <Act onAct={() => resolve("unpaid")}>Not paid</Act>
        </div>
      </div>
    </Panel>
  );
}
