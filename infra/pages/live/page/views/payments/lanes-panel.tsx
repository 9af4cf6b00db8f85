import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { PaymentDetail } from "../../../views/payments.ts";
import { useNow } from "../../clock.ts";
import { useMedia } from "../../hooks.ts";
import { Choice, Empty, Panel } from "../../parts.tsx";
import { counted } from "../../text.ts";
import { wordsOf } from "../../words.ts";
import { Lanes } from "./lane-picture.tsx";
import { LaneTable } from "./lane-table.tsx";

const forms = [
  ["picture", "Picture"],
  ["table", "Table"],
] as const;
type Form = (typeof forms)[number][0];

/** The course of the payment, as a picture or as a table. The picture comes with a table for screen readers. */
export function LanesPanel({ payment: { lanes, lanesLeftOut = 0, status } }: { payment: PaymentDetail }): JSX.Element {
  const isNarrow = useMedia("(max-width: 560px)");
  const [wanted, want] = useState<Form>();
  const form = wanted ?? (isNarrow ? "table" : "picture");
  const now = useNow(1_000, !wordsOf(status).isFinal || lanes.some(({ to }) => to === undefined));
  if (lanes.length === 0)
    return (
      <Panel title="What happened">
        <Empty>The parts of the platform that worked on this payment appear here within seconds.</Empty>
      </Panel>
    );
  return (
    <Panel
      title="What happened"
      aside={<Choice label="Show as" isLabelHidden value={form} options={forms} onChoose={want} />}
    >
      {form === "picture" && <Lanes items={lanes} now={now} />}
      <div class={form === "picture" ? "unseen" : ""}>
        <LaneTable items={lanes} />
      </div>
      {lanesLeftOut > 0 && (
        <p class="quiet body">
          {counted(lanesLeftOut, "item")} in the middle are left out: there are too many to show.
        </p>
      )}
    </Panel>
  );
}
