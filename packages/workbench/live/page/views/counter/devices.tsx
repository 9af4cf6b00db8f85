import type { JSX } from "preact";
import type { RegisteredView } from "../../../views/registered.ts";
import type { TerminalView } from "../../../views/terminals.ts";
import { Named, Panel } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";

/** The terminals as the platform knows them: whose they are, and what they say of their devices. */
export function Devices({ terminals }: { terminals: readonly TerminalView[] }): JSX.Element | null {
  const registered = useLive((state) => state.registered) ?? [];
  const shown = terminals.flatMap(({ id }) => registered.find(({ terminalId }) => terminalId === id) ?? []);
  if (shown.length === 0) return null;
  return (
    <Panel title="Devices">
      <ul class="devices">
        {shown.map((terminal) => (
          <Line key={terminal.terminalId} terminal={terminal} />
        ))}
      </ul>
    </Panel>
  );
}

const Line = ({ terminal }: { terminal: RegisteredView }): JSX.Element => {
  const { terminalId, terminalName, merchantId, merchantName, facts } = terminal;
  return (
    <li>
      <Named name={terminalName} id={terminalId} href={linkTo("counter", terminalId)} />
      <Named name={merchantName || "merchant"} id={merchantId} />
      <span class="quiet">{facts.length > 0 ? facts.join(" · ") : "It has not said what device it is."}</span>
    </li>
  );
};
