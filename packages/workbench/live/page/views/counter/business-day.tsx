import type { JSX } from "preact";
import type { DayView, MinorTotals } from "../../../views/days.ts";
import type { TerminalView } from "../../../views/terminals.ts";
import { Badge, Countdown, Money } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { counted } from "../../text.ts";
import { wordsOfDay } from "../../words.ts";

/** The terminal's own totals of its business day, and the platform's comparison of the newest day with its books. */
export function BusinessDay({ terminal: { id, day } }: { terminal: TerminalView }): JSX.Element {
  const compared = useLive(({ days }) => days.find(({ terminalId }) => terminalId === id));
  return (
    <>
      {day && (
        <div>
          <p class="quiet is-small">The terminal's totals of {day.businessDay}</p>
          {day.totals.length === 0 ? <p>no captures, refunds or reversals</p> : day.totals.map(totalsLine)}
        </div>
      )}
      {compared && (
        <div aria-live="polite">
          <p class="quiet is-small">The platform says of {compared.businessDay}</p>
          <Compared day={compared} />
        </div>
      )}
    </>
  );
}

const totalsLine = (of: MinorTotals): JSX.Element => (
  <p key={of.currency}>
    {counted(of.captures, "capture")} <Money of={of.captured} currency={of.currency} />
    {of.refunds > 0 && (
      <>
        {", "}
        {counted(of.refunds, "refund")} <Money of={of.refunded} currency={of.currency} />
      </>
    )}
    {of.reversals > 0 && (
      <>
        {", "}
        {counted(of.reversals, "reversal")} <Money of={of.reversed} currency={of.currency} />
      </>
    )}
    , net <Money of={of.captured - of.refunded - of.reversed} currency={of.currency} />
  </p>
);

function Compared({ day: { status, differences, graceEndsAt } }: { day: DayView }): JSX.Element {
  const { label, tone, means } = wordsOfDay(status);
  return (
    <>
      <p>
        <Badge tone={tone}>{label}</Badge> {status === "differs" ? <a href={linkTo("alerts")}>{means}</a> : means}
      </p>
      {differences.map((line) => (
        <p key={line} class="alert-detail">
          {line}
        </p>
      ))}
      {status === "comparing" && differences.length > 0 && graceEndsAt !== undefined && (
        <p class="quiet is-small" aria-live="off">
          It may still be corrected for <Countdown to={graceEndsAt} />.
        </p>
      )}
    </>
  );
}
