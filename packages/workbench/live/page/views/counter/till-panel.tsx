import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import type { StackView } from "../../../views/stack.ts";
import type { TerminalView } from "../../../views/terminals.ts";
import { Choice, Panel, Status } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { SendOnce } from "../../send-once.tsx";
import { majorText, moneyText } from "../../text.ts";
import { amountFor, CURRENCY, payableOf, paymentRequest } from "../../till.ts";
import { standingOf } from "../../words.ts";
import { useHolder } from "./use-holder.ts";

const FIRST_AMOUNT = "125.50";
const captureModes = [
  ["automatic", "at once"],
  ["manual", "later"],
] as const;
const tips = [
  ["none", "none"],
  ["asked", "ask for one"],
] as const;

/** The till: it requests a payment for a terminal. */
export function TillPanel({
  stack,
  terminal,
  terminals,
  onTerminal,
}: {
  stack: StackView;
  terminal: TerminalView;
  terminals: readonly TerminalView[];
  onTerminal: (id: string) => void;
}): JSX.Element {
  const [text, setText] = useState(FIRST_AMOUNT);
  const [captureMode, setCaptureMode] = useState<(typeof captureModes)[number][0]>("automatic");
  const [tip, setTip] = useState<(typeof tips)[number][0]>("none");
  const amount = payableOf(text, CURRENCY);
  const holder = useHolder(terminal.id);
  return (
    <Panel title="New payment">
      <form class="body till" onSubmit={(event) => event.preventDefault()}>
        <label>
          Amount
          <span class="money-field">
            <input
              inputMode="decimal"
              autoComplete="off"
              value={text}
              aria-invalid={amount === undefined}
              aria-describedby={amount === undefined ? "amount-wrong" : undefined}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <span aria-hidden="true">{CURRENCY}</span>
          </span>
        </label>
        {amount === undefined && (
          <p class="refusal" id="amount-wrong">
            Write an amount such as 125.50.
          </p>
        )}
        <label>
          Terminal
          <select value={terminal.id} onChange={(event) => onTerminal(event.currentTarget.value)}>
            {terminals.map(({ id, name, player }) => (
              <option key={id} value={id}>
                {name} ({players[player]})
              </option>
            ))}
          </select>
        </label>
        {terminal.player === "autopilot" && <Scripts stack={stack} amount={amount} onAmount={setText} />}
        <Choice label="Take the money" value={captureMode} options={captureModes} onChoose={setCaptureMode} />
        <Choice label="Tip" value={tip} options={tips} onChoose={setTip} />
        <SendOnce
          purpose={`Payment at ${terminal.id}`}
          request={() =>
            paymentRequest({ stack, terminal, amount: amount ?? 0, captureMode, asksTip: tip === "asked" })
          }
          onSent={showTerminal}
          kind="main"
          disabled={amount === undefined}
          about={[text, captureMode, tip, holder?.id].join()}
        >
          Request payment
        </SendOnce>
        {holder && <Held name={terminal.name} holder={holder} />}
      </form>
    </Panel>
  );
}

/** The payment that holds the terminal, and what frees the terminal for the next one. */
function Held({ name, holder }: { name: string; holder: PaymentView }): JSX.Element {
  const standing = standingOf(holder);
  return (
    <p class="is-small">
      {name} is held by{" "}
      <a href={linkTo("payments", holder.id)}>the payment of {moneyText(holder.amount, holder.currency)}</a>, which is{" "}
      <Status of={standing} reason={holder.reason} />. {standing.frees}
    </p>
  );
}

/** On a narrow screen the terminal is below the till, so this scrolls to it. */
function showTerminal(): void {
  if (matchMedia("(max-width: 760px)").matches)
    document.querySelector(".stage")?.scrollIntoView({ behavior: "smooth" });
}

const players: Readonly<Record<TerminalView["player"], string>> = {
  person: "you play it",
  autopilot: "plays by itself",
  none: "not played",
};

/** The last two digits of the amount select the autopilot's script. A choice here sets these digits. */
function Scripts({
  stack,
  amount = 0,
  onAmount,
}: {
  stack: StackView;
  amount: number | undefined;
  onAmount: (text: string) => void;
}): JSX.Element {
  const digits = String(amount % 100).padStart(2, "0");
  const chosen = stack.scripts.some((script) => script.digits === digits) ? digits : "00";
  return (
    <label>
      The outcome (the last two digits)
      <select
        value={chosen}
        onChange={(event) => onAmount(majorText(amountFor(event.currentTarget.value, Math.max(amount, 100)), CURRENCY))}
      >
        <option value="00">00 approved</option>
        {stack.scripts.map(({ digits, name }) => (
          <option key={digits} value={digits}>
            {digits} {name.replaceAll("`", "")}
          </option>
        ))}
      </select>
    </label>
  );
}
