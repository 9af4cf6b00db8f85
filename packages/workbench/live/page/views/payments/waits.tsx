import type { JSX } from "preact";
import type { PaymentDetail, WaitView } from "../../../views/payments.ts";
import { Panel, Time } from "../../parts.tsx";
import { SendOnce } from "../../send-once.tsx";
import { moneyText } from "../../text.ts";
import { withdrawal } from "../../till.ts";

/** The captures and refunds that have no outcome yet, each with its end and the button that withdraws it. */
export function Waits({ payment }: { payment: PaymentDetail }): JSX.Element | null {
  if (payment.waits.length === 0) return null;
  return (
    <Panel>
      <ul class="waits" aria-label="Captures and refunds without an outcome">
        {payment.waits.map((wait) => (
          <li key={wait.refundId}>
            <p>
              <Sentence wait={wait} what={whatOf(wait, payment)} />
            </p>
            <SendOnce
              purpose={`Withdraw ${wait.refundId ?? "the capture"} ${payment.id}`}
              request={() => withdrawal(payment, wait)}
              kind="danger"
              disabled={wait.isFetched}
            >
              {wait.refundId === undefined ? "Cancel payment" : "Withdraw"}
            </SendOnce>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const whatOf = ({ refundId, amount }: WaitView, { currency }: PaymentDetail): string =>
  `The ${refundId === undefined ? "capture" : "refund"} of ${moneyText(amount, currency)}`;

/** A fetched message keeps its line, so that the refusal of its withdrawal stays visible. */
const Sentence = ({ wait, what }: { wait: WaitView; what: string }): JSX.Element =>
  wait.isFetched ? (
    <>{what} can no longer be withdrawn: the terminal may have it.</>
  ) : (
    <>
      {what} waits for its terminal, until <Time at={wait.until} />.
      {wait.refundId === undefined && " A cancel withdraws it, and gives the charge back."}
    </>
  );
