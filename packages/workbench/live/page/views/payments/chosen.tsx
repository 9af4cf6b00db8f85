import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PaymentDetail } from "../../../views/payments.ts";
import { wholeCommand } from "../../../../../../infra/operator/common/whole-commands.ts";
import { useMedia } from "../../hooks.ts";
import { Empty, Id, Named, Panel, Status, Time } from "../../parts.tsx";
import { moneyText } from "../../text.ts";
import { linkTo } from "../../routes.ts";
import { amountOf, standingOf } from "../../words.ts";
import { AlertNote } from "../alerts/note.tsx";
import { Changes } from "./changes.tsx";
import { LanesPanel } from "./lanes-panel.tsx";
import { MoneyPanel } from "./money.tsx";
import { Related } from "./related.tsx";
import { ResolvePanel } from "./resolve.tsx";
import { useDetail } from "./use-detail.ts";
import { Waits } from "./waits.tsx";

/** All details of one payment. `back` is the address of the list. */
export function ChosenPayment({ id, back }: { id: string; back: string }): JSX.Element {
  const { payment, trouble } = useDetail(id);
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    if (matchMedia("(max-width: 860px)").matches) top.current?.scrollIntoView({ block: "start" });
  }, []);
  return (
    <article ref={top} class="payment stack" aria-label="The chosen payment">
      <a class="back has-arrow" href={back}>
        All payments
      </a>
      {payment ? (
        <Whole payment={payment} />
      ) : (
        <Panel>
          <Empty>{trouble ?? "Reading the payment…"}</Empty>
        </Panel>
      )}
      {payment && trouble !== undefined && <p class="refusal">{trouble}</p>}
    </article>
  );
}

/** The money comes before the parts of the platform. A phone also shows the operator's account before them. */
function Whole({ payment }: { payment: PaymentDetail }): JSX.Element {
  const isNarrow = useMedia("(max-width: 560px)");
  const account = <Account story={payment.story} sessionId={payment.sessionId} />;
  return (
    <>
      <Head payment={payment} />
      <Waits payment={payment} />
      {payment.openAlerts.map((alert) => (
        <AlertNote key={alert.id} alert={alert} terminalId={payment.terminalId} />
      ))}
      <ResolvePanel payment={payment} />
      <div class="payment-pair">
        <MoneyPanel payment={payment} />
        {isNarrow && account}
        <Changes payment={payment} />
      </div>
      <LanesPanel payment={payment} isNarrow={isNarrow} />
      <Related payment={payment} />
      {!isNarrow && account}
    </>
  );
}

function Head({ payment }: { payment: PaymentDetail }): JSX.Element {
  const { reason, decline, amount, currency, merchantName, terminalName, orderId } = payment;
  const standing = standingOf(payment);
  return (
    <Panel>
      <div class="payment-head">
        <div class="payment-title">
          <h2>{moneyText(amountOf(payment), currency)}</h2>
          {amountOf(payment) !== amount && <span class="quiet is-small">of {moneyText(amount, currency)}</span>}
          <span class="payment-state" role="status">
            <Status of={standing} reason={reason} />
          </span>
          <p class="quiet">
            {standing.means} {reason} {decline}
          </p>
        </div>
        <dl class="payment-facts">
          <Fact name="Merchant">
            <Named name={merchantName} id={payment.merchantId} />
          </Fact>
          <Fact name="Order">{orderId ?? <span class="quiet">none</span>}</Fact>
          <Fact name="Terminal">
            <Named name={terminalName} id={payment.terminalId} href={linkTo("counter", payment.terminalId)} />
          </Fact>
          <Fact name="Requested">
            <Time at={payment.createdAt} />
          </Fact>
          <Fact name="Capture">{payment.captureMode}</Fact>
          <Fact name="Session">
            <Id of={payment.sessionId} />
          </Fact>
        </dl>
      </div>
    </Panel>
  );
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The lines are made for a wide terminal, so the lines below a change are indented less here. */
const Account = ({ story, sessionId }: Pick<PaymentDetail, "story" | "sessionId">): JSX.Element => (
  <Panel title="The operator's account" aside={<code class="quiet">{wholeCommand(`payment why ${sessionId}`)}</code>}>
    <pre class="story" role="group" tabIndex={0} aria-label="The operator's account">
      {story.map((line) => line.replace(/^ {8,}/, "    ")).join("\n")}
    </pre>
  </Panel>
);
