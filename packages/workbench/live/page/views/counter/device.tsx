import type { JSX } from "preact";
import type { DisplayView, TerminalView } from "../../../views/terminals.ts";
import { Countdown } from "../../parts.tsx";
import { moneyText } from "../../text.ts";

/** How the customer holds the card. A new `turn` plays the animation again. */
export interface CardPlay {
  readonly how: "tap" | "insert";
  readonly which: "first" | "second";
  readonly turn: number;
}

/** The terminal on the counter. Its display is text, and screen readers read it when it changes. */
export function Device({ terminal, card }: { terminal: TerminalView; card?: CardPlay | undefined }): JSX.Element {
  const { display, power } = terminal;
  const mode = power === "off" ? "off" : display.mode;
  return (
    <div class="device-place">
      <div class={`device is-${mode}`}>
        <Waves isCalling={mode === "payment"} />
        <div class="screen" role="group" aria-label={`Display of ${terminal.name}`}>
          {mode !== "off" && <ScreenBar terminal={terminal} />}
          <div class="screen-main" aria-live="polite">
            <Shown mode={mode} display={display} />
          </div>
        </div>
        <span class="device-slot" aria-hidden="true" />
      </div>
      {card && <PlayedCard key={card.turn} {...card} />}
    </div>
  );
}

const ScreenBar = ({ terminal: { name, power, display } }: { terminal: TerminalView }): JSX.Element => (
  <p class="screen-bar">
    <span class="screen-name">{display.merchantName ?? name}</span>
    {power === "lost" ? <span class="screen-lost">no network</span> : <Bars />}
  </p>
);

/** Full reception. */
const Bars = (): JSX.Element => (
  <svg class="bars" viewBox="0 0 16 12" aria-hidden="true">
    <path d="M1 9h2v3H1zM5 6.5h2V12H5zM9 3.5h2V12H9zM13 0h2v12h-2z" />
  </svg>
);

type Mode = DisplayView["mode"];

function Shown({ mode, display }: { mode: Mode; display: DisplayView }): JSX.Element {
  if (mode === "off") return <span class="unseen">The display is dark.</span>;
  return (
    <>
      <Sign mode={mode} />
      {display.amount !== undefined && <Amount display={display} />}
      <p class="prompt">{display.prompt || words[mode]}</p>
      {mode === "payment" && display.expiresAt !== undefined && (
        <p class="screen-small" aria-live="off">
          <Countdown to={display.expiresAt} /> left
        </p>
      )}
    </>
  );
}

/** The display's words if the terminal gives no prompt. */
const words: Readonly<Record<Mode, string>> = {
  off: "",
  idle: "Welcome",
  payment: "Present card",
  working: "Please wait",
  approved: "Approved",
  declined: "Declined",
  cancelled: "Cancelled",
  failed: "Failed",
  question: "One moment",
};

function Amount({ display }: { display: DisplayView }): JSX.Element {
  const { amount = 0, currency = "", tip } = display;
  const parts = partsOf(display, currency);
  return (
    <>
      <p class="amount">
        <span class="amount-code">{currency} </span>
        {figure(amount + (tip?.chosen ?? 0), currency)}
      </p>
      {parts !== "" && <p class="screen-small">{parts}</p>}
    </>
  );
}

/** The parts of the shown amount, and the deductions. Empty if none is known. */
const partsOf = ({ tip, vat, discount = 0 }: DisplayView, currency: string): string =>
  [
    tip?.chosen && `tip ${figure(tip.chosen, currency)}`,
    vat !== undefined && `VAT ${figure(vat, currency)}`,
    discount > 0 && `${figure(discount, currency)} off`,
  ]
    .filter(Boolean)
    .join(" · ");

/** An amount without its currency, which is shown above it. */
const figure = (minor: number, currency: string): string => moneyText(minor, currency).replace(/\s.*$/, "");

const signs: Partial<Readonly<Record<Mode, string>>> = {
  approved: "M14 25l8 8 14-17",
  declined: "M16 16l18 18M34 16l-18 18",
  cancelled: "M15 25h20",
  failed: "M25 13v15M25 35v1",
  question: "M19 19a6 6 0 1 1 8.5 5.5c-2 1-2.5 2-2.5 4M25 35v1",
};

/** A symbol for the result, such as a tick or a cross. */
function Sign({ mode }: { mode: Mode }): JSX.Element | null {
  if (mode === "working") return <Dots />;
  const path = signs[mode];
  if (path === undefined) return null;
  return (
    <svg class="sign" viewBox="0 0 50 50" aria-hidden="true">
      <circle cx="25" cy="25" r="22" />
      <path d={path} />
    </svg>
  );
}

const Dots = (): JSX.Element => (
  <span class="dots" aria-hidden="true">
    <i />
    <i />
    <i />
  </span>
);

/** The mark of contactless payment. It is animated while the terminal waits for a card. */
const Waves = ({ isCalling }: { isCalling: boolean }): JSX.Element => (
  <svg class={isCalling ? "waves is-calling" : "waves"} viewBox="0 0 40 24" aria-hidden="true">
    <path d="M12 9a6 6 0 0 1 0 6" />
    <path d="M16.5 6.5a11 11 0 0 1 0 11" />
    <path d="M21 4a16 16 0 0 1 0 16" />
    <path d="M25.5 1.5a21 21 0 0 1 0 21" />
  </svg>
);

const lastDigits = { first: "4242", second: "5454" } as const;

/** The customer's card. It moves to the reader or into the slot, and leaves again. */
const PlayedCard = ({ how, which }: Pick<CardPlay, "how" | "which">): JSX.Element => (
  <div class={`card is-${how}`} aria-hidden="true">
    <span class="card-chip" />
    <span class="card-number">···· {lastDigits[which]}</span>
    <span class="card-brand">
      <i />
      <i />
    </span>
  </div>
);
