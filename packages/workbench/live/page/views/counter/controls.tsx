import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import type { TerminalAction, TerminalView } from "../../../views/terminals.ts";
import { act } from "../../ask.ts";
import { canDo } from "../../terminal-actions.ts";
import { Act, Panel } from "../../parts.tsx";
import { majorText } from "../../text.ts";
import { CURRENCY, payableOf } from "../../till.ts";
import { BusinessDay } from "./business-day.tsx";
import type { CardPlay } from "./device.tsx";

export interface Hands {
  readonly terminal: TerminalView;
  /** The newest payment of the terminal. */
  readonly payment: PaymentView | undefined;
  /** Animates the card. */
  readonly playCard: (how: CardPlay["how"], which?: CardPlay["which"]) => void;
}

/** The customer's actions, below the terminal's picture. */
export const Customer = (hands: Hands): JSX.Element => (
  <div class="keys" role="group" aria-label="The customer">
    <Key {...hands} action={{ do: "tap" }} kind="main" before={() => hands.playCard("tap")}>
      Tap card
    </Key>
    <Key {...hands} action={{ do: "insert" }} before={() => hands.playCard("insert")}>
      Insert card
    </Key>
    <Key {...hands} action={{ do: "decline" }} before={() => hands.playCard("tap")}>
      Decline card
    </Key>
    <Key {...hands} action={{ do: "cancel" }} kind="danger">
      Press cancel
    </Key>
  </div>
);

/** Other events at a terminal. */
export const Controls = (hands: Hands): JSX.Element => (
  <>
    <Panel title="Faults of the terminal">
      <div class="body troubles">
        <OtherAmount {...hands} />
        <Trouble name="Money" hint="a second card, or the same report again, after an approval">
          <Key {...hands} action={{ do: "secondCard" }} before={() => hands.playCard("tap", "second")}>
            Second card
          </Key>
          <Key {...hands} action={{ do: "answerTwice" }}>
            Answer twice
          </Key>
        </Trouble>
        <Power {...hands} />
        <Network {...hands} />
        <WrongDay {...hands} />
      </div>
    </Panel>
    <Panel title="Business day">
      <div class="body stack">
        <BusinessDay terminal={hands.terminal} />
        <Key {...hands} action={{ do: "closeDay" }}>
          Close the day
        </Key>
      </div>
    </Panel>
    <Panel title="Action requests">
      <div class="body keys">
        <Key {...hands} action={{ do: "askPartner", actionCode: "openGate", description: "Open the gate?" }}>
          Open the gate?
        </Key>
        <Key {...hands} action={{ do: "askPartner", actionCode: "offerVoucher", description: "Offer a voucher?" }}>
          Offer a voucher?
        </Key>
      </div>
    </Panel>
  </>
);

function Power(hands: Hands): JSX.Element {
  if (hands.terminal.power === "off")
    return (
      <Trouble name="Power" hint="it is off">
        <Key {...hands} action={{ do: "powerOn" }} kind="main">
          Switch it on
        </Key>
      </Trouble>
    );
  return (
    <Trouble name="Power" hint="it stops at once, whatever it does">
      <Key {...hands} action={{ do: "pullPlug", forget: false }}>
        Pull the plug
      </Key>
      <Key {...hands} action={{ do: "pullPlug", forget: true }} kind="danger">
        …and lose its memory
      </Key>
    </Trouble>
  );
}

function Network(hands: Hands): JSX.Element {
  const { power, unsent } = hands.terminal;
  if (power !== "lost")
    return (
      <Trouble name="Network" hint="cards are charged, reports wait">
        <Key {...hands} action={{ do: "loseNetwork" }}>
          Lose it
        </Key>
      </Trouble>
    );
  const waiting = unsent === 1 ? "one report waits" : `${unsent} reports wait`;
  return (
    <Trouble name="Network" hint={unsent === 0 ? "it is lost" : `it is lost, ${waiting} to be sent`}>
      <Key {...hands} action={{ do: "findNetwork" }} kind="main">
        Find it again
      </Key>
    </Trouble>
  );
}

function WrongDay(hands: Hands): JSX.Element {
  const isPaid = hands.terminal.day?.totals.some(({ captures }) => captures > 0) ?? false;
  return (
    <Trouble name="Day" hint="it is closed with a wrong count">
      <Key {...hands} action={{ do: "closeDay", lie: "leavesOneOut" }} disabled={!isPaid}>
        Leave a payment out
      </Key>
      <Key {...hands} action={{ do: "closeDay", lie: "countsOneTwice" }} disabled={!isPaid}>
        Count one twice
      </Key>
    </Trouble>
  );
}

/** The suggested amount is 100 minor units below the requested one, and follows it until a person types another amount. */
function OtherAmount(hands: Hands): JSX.Element {
  const { amount, currency = CURRENCY } = hands.terminal.display;
  const [text, setText] = useState<string>();
  const shown = text ?? (amount === undefined ? "" : majorText(Math.max(1, amount - 100), currency));
  const other = payableOf(shown, currency);
  return (
    <Trouble name="Amount" hint="a different amount than requested">
      <input
        class="is-short"
        inputMode="decimal"
        aria-label="Another amount"
        placeholder="0.00"
        value={shown}
        disabled={!canDo(hands.terminal, "approveOther")}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Key
        {...hands}
        action={{ do: "approveOther", amount: other ?? 0 }}
        disabled={other === undefined}
        before={() => hands.playCard("tap")}
      >
        Approve this
      </Key>
    </Trouble>
  );
}

const Trouble = ({ name, hint, children }: { name: string; hint: string; children: ComponentChildren }) => (
  <div class="trouble" role="group" aria-label={name}>
    <p>
      <strong>{name}</strong> <span class="quiet is-small">{hint}</span>
    </p>
    <div class="trouble-keys">{children}</div>
  </div>
);

/** A button for one action. It is disabled while the action makes no sense. */
export function Key({
  terminal,
  payment,
  action,
  before,
  kind = "plain",
  disabled = false,
  children,
}: Pick<Hands, "terminal" | "payment"> & {
  action: TerminalAction;
  before?: () => void;
  kind?: "plain" | "main" | "danger";
  disabled?: boolean;
  children: string;
}): JSX.Element {
  const press = () => {
    before?.();
    return act(`terminals/${encodeURIComponent(terminal.id)}`, action);
  };
  return (
    <Act kind={kind} disabled={disabled || !canDo(terminal, action.do, payment)} onAct={press}>
      {children}
    </Act>
  );
}
