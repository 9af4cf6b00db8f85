import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import type { Snapshot } from "../../../views/snapshot.ts";
import { Empty, Money, Panel, Status, Time } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { SendOnce } from "../../send-once.tsx";
import { useLive } from "../../store.ts";
import { amountFor, paymentRequest } from "../../till.ts";
import { amountOf, standingOf, wordsOf } from "../../words.ts";

const MOST_SHOWN = 40;
/** The autopilot's slow script. It leaves enough time to set a fault. */
const SLOW_TO_PAY = "07";

/** The running payments, and payments that have run since this view opened, so that a person sees how each ends. */
export function UnderWay(): JSX.Element {
  const seen = useRef(new Set<string>());
  const payments = useLive(({ payments }) => watched(payments, seen.current)) ?? [];
  const shown = payments.slice(0, MOST_SHOWN);
  const more = payments.length - shown.length;
  return (
    <Panel title="Payments under way" aside={<WatchOne />}>
      {shown.length === 0 ? (
        <Empty>
          <strong>No payment is under way</strong>
          Start one here or at the <a href={linkTo("counter")}>Counter</a>, start a fault, and see how it ends.
        </Empty>
      ) : (
        <ul class="under-way">
          {shown.map((payment) => (
            <Row key={payment.id} payment={payment} />
          ))}
        </ul>
      )}
      {more > 0 && <p class="body quiet">And {more} more.</p>}
    </Panel>
  );
}

/** Adds running payments to `seen`, and returns all payments in it. */
function watched(payments: readonly PaymentView[], seen: Set<string>): readonly PaymentView[] {
  return payments.filter(({ id, status }) => {
    if (!wordsOf(status).isFinal) seen.add(id);
    return seen.has(id);
  });
}

function Row({ payment }: { payment: PaymentView }): JSX.Element {
  const { id, reason, currency, terminalName, createdAt } = payment;
  const standing = standingOf(payment);
  return (
    <li>
      <Status of={standing} reason={reason} />
      <div>
        <p class="under-way-line">
          <a href={linkTo("payments", id)}>
            <Money of={amountOf(payment)} currency={currency} />
          </a>
          <span class="quiet is-small">
            {terminalName} · <Time at={createdAt} />
          </span>
        </p>
        <p class="quiet is-small" aria-live="polite">
          {standing.means} {reason}
        </p>
      </div>
    </li>
  );
}

function WatchOne(): JSX.Element | null {
  const [stack, terminal] = useLive((state) => [state.stack, autopilotOf(state)] as const) ?? [];
  if (!stack || !terminal) return null;
  const amount = amountFor(SLOW_TO_PAY, 125_00);
  return (
    <SendOnce
      purpose={`Payment at ${terminal.id}`}
      request={() => paymentRequest({ stack, terminal, amount, captureMode: "automatic" })}
    >
      Start a slow payment
    </SendOnce>
  );
}

const autopilotOf = ({ terminals }: Snapshot) => terminals.find(({ player }) => player === "autopilot");
