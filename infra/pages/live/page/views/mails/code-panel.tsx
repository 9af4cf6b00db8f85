import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MailDetail } from "../../../views/mails.ts";
import type { PaymentView } from "../../../views/payments.ts";
import { Act, Panel } from "../../parts.tsx";
import { moneyText } from "../../text.ts";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { spendVoucher } from "../../till.ts";

interface CodePanelProps {
  readonly code: string;
  readonly picture: MailDetail["pictures"][number] | undefined;
}

/** The code for a camera, for a person, or for the till. */
export const CodePanel = ({ code, picture }: CodePanelProps): JSX.Element => (
  <Panel title="Code">
    <div class="body code-panel">
      {picture && <img class="qr" src={picture.url} alt={`QR picture of ${code}`} width="264" height="264" />}
      <div class="stack">
        <p class="big-code">{code}</p>
        <p>
          <Act done="Copied" onAct={() => navigator.clipboard.writeText(code)}>
            Copy the code
          </Act>
        </p>
        <Spend code={code} />
      </div>
    </div>
  </Panel>
);

/** A voucher can be spent from the payment request until a card is presented. */
const takesDiscounts = ({ status }: PaymentView) => status === "inProgress" || status === "pending";

function Spend({ code }: { code: string }): JSX.Element {
  const running = useLive(({ payments }) => payments.filter(takesDiscounts)) ?? [];
  const [wanted, setWanted] = useState("");
  const [spentOn, setSpentOn] = useState<string>();
  const payment = running.find(({ id }) => id === wanted) ?? running[0];
  const spend = async () => {
    if (!payment) return;
    await spendVoucher(payment, code);
    setSpentOn(payment.id);
  };
  return (
    <div class="spend stack">
      {payment ? (
        <>
          <label>
            Spend it on
            <select value={payment.id} onChange={({ currentTarget }) => setWanted(currentTarget.value)}>
              {running.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.terminalName}, {moneyText(one.amount, one.currency)}
                </option>
              ))}
            </select>
          </label>
          <p>
            <Act kind="main" onAct={spend}>
              Spend it
            </Act>
          </p>
        </>
      ) : (
        <p class="quiet">
          To spend a voucher, <a href={linkTo("counter")}>request a payment at the counter</a> and come back before a
          card is presented.
        </p>
      )}
      {spentOn !== undefined && (
        <p role="status">
          It was sent to the payment. <a href={linkTo("payments", spentOn)}>See the payment</a>
        </p>
      )}
    </div>
  );
}
