import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LaneItem } from "../../../views/lanes.ts";
import type { PaymentDetail } from "../../../views/payments.ts";
import { useNow } from "../../clock.ts";
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

interface LanesPanelProps {
  readonly payment: PaymentDetail;
  /** A narrow screen shows a table, folded. */
  readonly isNarrow: boolean;
}

/** The course of the payment, as a picture or as a table, without its timers at first. */
export function LanesPanel({ payment: { lanes, lanesLeftOut = 0, status }, isNarrow }: LanesPanelProps): JSX.Element {
  const [wanted, want] = useState<Form>();
  const [hasTimers, setTimers] = useState(false);
  const form = wanted ?? (isNarrow ? "table" : "picture");
  const items = hasTimers ? lanes : lanes.filter(({ isTimer }) => !isTimer);
  const now = useNow(1_000, !wordsOf(status).isFinal || items.some(({ to }) => to === undefined));
  if (lanes.length === 0)
    return (
      <Panel title="What happened">
        <Empty>The parts of the platform that worked on this payment appear here within seconds.</Empty>
      </Panel>
    );
  const controls = (
    <div class="lane-controls">
      <TimerSwitch count={lanes.filter(({ isTimer }) => isTimer).length} isOn={hasTimers} onSwitch={setTimers} />
      <Choice label="Show as" isLabelHidden value={form} options={forms} onChoose={want} />
    </div>
  );
  const course = <Course {...{ form, items, now, lanesLeftOut }} />;
  if (!isNarrow)
    return (
      <Panel title="What happened" aside={controls}>
        {course}
      </Panel>
    );
  return (
    <Panel title="What happened">
      <details class="more lanes-more">
        <summary>
          Each step of the platform <span class="quiet number">{items.length}</span>
        </summary>
        {controls}
        {course}
      </details>
    </Panel>
  );
}

interface TimerSwitchProps {
  readonly count: number;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}

const TimerSwitch = ({ count, isOn, onSwitch }: TimerSwitchProps): JSX.Element | null =>
  count === 0 ? null : (
    <label title="Deadlines that wait for their time, and those that did nothing because their reason had passed">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onSwitch(currentTarget.checked)} />
      <span>
        Timers <span class="number">{count}</span>
      </span>
    </label>
  );

interface CourseProps {
  readonly form: Form;
  readonly items: readonly LaneItem[];
  readonly now: number;
  readonly lanesLeftOut: number;
}

/** The picture comes with a table for screen readers. */
const Course = ({ form, items, now, lanesLeftOut }: CourseProps): JSX.Element => (
  <>
    {form === "picture" && <Lanes items={items} now={now} />}
    <div class={form === "picture" ? "unseen" : ""}>
      <LaneTable items={items} />
    </div>
    {lanesLeftOut > 0 && (
      <p class="quiet body">{counted(lanesLeftOut, "item")} in the middle are left out: there are too many to show.</p>
    )}
  </>
);
