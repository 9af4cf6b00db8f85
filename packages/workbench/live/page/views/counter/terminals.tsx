import type { JSX } from "preact";
import type { PaymentView } from "../../../views/payments.ts";
import type { TerminalView } from "../../../views/terminals.ts";
import { Money } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useConnection } from "../../store.ts";
import { lampOf, standingAt } from "../../terminal-lamps.ts";
import { wordsOf } from "../../words.ts";
import { useHolder } from "./use-holder.ts";

/** The terminals of the shop, each with its lamp and the payment that holds it. */
export const Terminals = ({ of, chosen }: { of: readonly TerminalView[]; chosen: TerminalView }): JSX.Element => (
  <nav class="terminals" aria-label="Terminals">
    {of.map((terminal) => (
      <Tile key={terminal.id} terminal={terminal} isChosen={terminal.id === chosen.id} />
    ))}
  </nav>
);

function Tile({ terminal, isChosen }: { terminal: TerminalView; isChosen: boolean }): JSX.Element {
  const { isLive } = useConnection();
  const holder = useHolder(terminal.id);
  return (
    <div class="tile">
      <span class={`lamp is-${lampOf(terminal, { holder, isLive })}`} aria-hidden="true" />
      <a class="tile-name" href={linkTo("counter", terminal.id)} aria-current={isChosen ? "true" : undefined}>
        {terminal.name}
      </a>
      <span class="quiet is-small">{isLive ? <State terminal={terminal} holder={holder} /> : "not known"}</span>
    </div>
  );
}

function State({ terminal, holder }: { terminal: TerminalView; holder: PaymentView | undefined }): JSX.Element {
  const standing = standingAt(terminal, holder);
  if (!holder) return <>{standing}</>;
  return (
    <>
      {standing === "" ? "" : `${standing}, `}held by{" "}
      <a class="tile-holder" href={linkTo("payments", holder.id)}>
        <Money of={holder.amount} currency={holder.currency} />, {wordsOf(holder.status).label}
      </a>
    </>
  );
}
