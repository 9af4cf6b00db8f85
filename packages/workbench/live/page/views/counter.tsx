import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TerminalView } from "../../views/terminals.ts";
import { BusinessDay } from "./counter/business-day.tsx";
import { Controls, Customer } from "./counter/controls.tsx";
import { Device, type CardPlay } from "./counter/device.tsx";
import { Devices } from "./counter/devices.tsx";
import { Journal } from "./counter/journal.tsx";
import { Tip } from "./counter/tip.tsx";
import { TillPanel } from "./counter/till-panel.tsx";
import { Verdict } from "./counter/verdict.tsx";
import { Terminals } from "./counter/terminals.tsx";
import { Empty, Panel, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";

/** The shop's counter: a till, a terminal, and the customer's actions. */
export function Counter({ chosen }: { chosen: string | undefined }): JSX.Element {
  const [stack, terminals = []] = useLive(({ stack, terminals }) => [stack, terminals] as const) ?? [];
  const terminal = chosenOf(terminals, chosen);
  if (!stack || !terminal)
    return (
      <>
        <Title>Counter</Title>
        <Panel>
          <Empty>
            <strong>No terminal yet</strong>
            {stack ? "This stack has no terminal to show." : "Waiting for the stack…"}
          </Empty>
        </Panel>
      </>
    );
  const go = (id: string) => {
    location.hash = linkTo("counter", id);
  };
  return (
    <>
      <Title aside={<Terminals of={terminals} chosen={terminal} />}>Counter</Title>
      <div class="counter">
        <TillPanel stack={stack} terminal={terminal} terminals={terminals} onTerminal={go} />
        <AtTerminal key={terminal.id} terminal={terminal} />
        <Devices terminals={terminals} />
      </div>
    </>
  );
}

/** The terminal with this identifier, otherwise the terminal that a person plays, otherwise the first. */
const chosenOf = (terminals: readonly TerminalView[], id: string | undefined): TerminalView | undefined =>
  terminals.find((terminal) => terminal.id === id) ??
  terminals.find(({ player }) => player === "person") ??
  terminals[0];

function AtTerminal({ terminal }: { terminal: TerminalView }): JSX.Element {
  const [card, setCard] = useState<CardPlay>();
  const payment = useLive(({ payments }) => payments.find(({ terminalId }) => terminalId === terminal.id));
  const playCard = (how: CardPlay["how"], which: CardPlay["which"] = "first") =>
    setCard((before) => ({ how, which, turn: (before?.turn ?? 0) + 1 }));
  const hands = { terminal, payment, playCard };
  return (
    <>
      <section class="panel stage" aria-label={`Terminal ${terminal.name}`}>
        <Device terminal={terminal} card={card} />
        {terminal.player === "person" && <Tip {...hands} />}
        {terminal.player === "person" && <Customer {...hands} />}
        <Verdict terminal={terminal} payment={payment} />
      </section>
      <div class="stack hands">
        {terminal.player === "person" ? (
          <Controls {...hands} />
        ) : (
          <>
            <Panel title={players[terminal.player].title}>
              <p class="body quiet">{players[terminal.player].text}</p>
            </Panel>
            {terminal.day && (
              <Panel title="Business day">
                <div class="body stack">
                  <BusinessDay terminal={terminal} />
                </div>
              </Panel>
            )}
          </>
        )}
      </div>
      <Journal terminal={terminal} />
    </>
  );
}

const players = {
  autopilot: {
    title: "It plays by itself",
    text: "The last two digits of the amount choose what happens here: choose one at the till, and watch. To play the customer yourself, choose the terminal named Counter.",
  },
  none: {
    title: "It waits for your program",
    text: "This terminal is for your own programs, which use the Terminals API with its key. Without such a program, its payments wait until they expire.",
  },
} as const;
