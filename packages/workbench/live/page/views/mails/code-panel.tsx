import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { MailDetail } from "../../../views/mails.ts";
import type { PaymentView } from "../../../views/payments.ts";
import { copyText } from "../../copy-text.ts";
import { Act, Panel } from "../../parts.tsx";
import { moneyText } from "../../text.ts";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { SendOnce } from "../../send-once.tsx";
import { voucherRequest, type TillRequest } from "../../till.ts";
import { useDetail } from "../payments/use-detail.ts";
import { standingOfCode } from "./spent-code.ts";

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
          <Act done="Copied" onAct={() => copyText(code)}>
            Copy the code
          </Act>
        </p>
        <Spend code={code} />
      </div>
    </div>
  </Panel>
);

/** The use of a code on this page: the payment's session, and the discount. A reload forgets it. */
interface Use {
  readonly sessionId: string;
  readonly discountId: string;
}

const uses = new Map<string, Use>();

/** Lets a person without a terminal spend the voucher. After that, it shows the use. */
function Spend({ code }: { code: string }): JSX.Element {
  const [isSpentHere, setSpentHere] = useState(false);
  const use = uses.get(code);
  const id = useLive(({ payments }) => payments.find(({ sessionId }) => sessionId === use?.sessionId)?.id);
  const onSent = ({ body: { sessionID, discountID } }: TillRequest) => {
    uses.set(code, { sessionId: String(sessionID), discountId: String(discountID) });
    setSpentHere(true);
  };
  const offer = <Offer code={code} onSent={onSent} />;
  return (
    <div class="spend stack">
      {use && id !== undefined ? (
        <Spent key={use.discountId} payment={id} discountId={use.discountId} hasFocus={isSpentHere}>
          {offer}
        </Spent>
      ) : (
        offer
      )}
    </div>
  );
}

interface SpentProps {
  readonly payment: string;
  readonly discountId: string;
  /** The pressed button is gone, so a keyboard or screen reader continues here. */
  readonly hasFocus: boolean;
  /** Shown if the code may be spent again. */
  readonly children: JSX.Element;
}

function Spent({ payment: id, discountId, hasFocus, children }: SpentProps): JSX.Element {
  const { payment } = useDetail(id);
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (hasFocus) place.current?.focus();
  }, [hasFocus]);
  const standing = payment && standingOfCode(payment, discountId);
  return (
    <>
      <p ref={place} tabIndex={-1} role="status">
        {standing?.sentence ?? "It was sent to the payment."} <a href={linkTo("payments", id)}>See the payment</a>
      </p>
      {standing?.mayBeSpent && children}
    </>
  );
}

/** A voucher can be spent from the payment request until a card is presented. */
const takesDiscounts = ({ status }: PaymentView) => status === "inProgress" || status === "pending";

function Offer({ code, onSent }: { code: string; onSent: (request: TillRequest) => void }): JSX.Element {
  const running = useLive(({ payments }) => payments.filter(takesDiscounts)) ?? [];
  const [wanted, setWanted] = useState("");
  const payment = running.find(({ id }) => id === wanted) ?? running[0];
  return (
    <>
      <p class="quiet">In a shop, the customer shows a voucher to the terminal. On this page, spend it here.</p>
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
            <SendOnce
              purpose={`Voucher ${code}`}
              request={() => voucherRequest(payment, code)}
              onSent={onSent}
              kind="main"
            >
              Spend it
            </SendOnce>
          </p>
        </>
      ) : (
        <p class="quiet">
          No payment waits for a card. <a href={linkTo("counter")}>Request a payment at the counter</a>, and come back
          before a card is presented.
        </p>
      )}
    </>
  );
}
