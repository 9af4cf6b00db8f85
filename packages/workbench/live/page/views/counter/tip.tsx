import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { DisplayView } from "../../../views/terminals.ts";
import { canDo } from "../../terminal-actions.ts";
import { majorText, minorOf, moneyText } from "../../text.ts";
import { CURRENCY } from "../../till.ts";
import { Key, type Hands } from "./controls.tsx";

/** The choices of a customer whom the terminal asks for a tip. Nothing if it does not ask. */
export function Tip(hands: Hands): JSX.Element | null {
  const { display } = hands.terminal;
  if (!canDo(hands.terminal, "tip")) return null;
  return (
    <div class="keys" role="group" aria-label="The tip">
      {choicesOf(display).map(([label, amount]) => (
        <Key key={label} {...hands} action={{ do: "tip", amount }}>
          {label}
        </Key>
      ))}
      {display.tip?.custom && <OwnTip {...hands} />}
    </div>
  );
}

function choicesOf({ amount = 0, currency = CURRENCY, tip }: DisplayView): readonly (readonly [string, number])[] {
  const { percents = [], amounts = [] } = tip ?? {};
  return [
    ["No tip", 0],
    ...percents.map((percent) => [`${percent} %`, Math.round((amount * percent) / 100)] as const),
    ...amounts.map((fixed) => [moneyText(fixed, currency), fixed] as const),
  ];
}

/** An own amount up to the maximum. */
function OwnTip(hands: Hands): JSX.Element {
  const { currency = CURRENCY, tip: { maximum = 0 } = {} } = hands.terminal.display;
  const [text, setText] = useState("");
  const amount = minorOf(text, currency);
  const isTooMuch = amount !== undefined && amount > maximum;
  return (
    <>
      <input
        inputMode="decimal"
        aria-label="Own tip"
        placeholder={`up to ${majorText(maximum, currency)}`}
        value={text}
        aria-invalid={isTooMuch}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Key {...hands} action={{ do: "tip", amount: amount ?? 0 }} disabled={amount === undefined || isTooMuch}>
        Own tip
      </Key>
    </>
  );
}
