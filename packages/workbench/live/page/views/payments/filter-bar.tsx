import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import { FilterBar } from "../../filter-bar.tsx";
import { wordsOf } from "../../words.ts";
import { states, type Filter } from "./filter.ts";

interface BarProps {
  readonly filter: Filter;
  readonly payments: readonly PaymentView[];
  readonly onNarrow: (filter: Filter) => void;
}

export function PaymentFilterBar({ filter, payments, onNarrow }: BarProps): JSX.Element {
  const terminals = useMemo(() => terminalsOf(payments, filter.terminal), [payments, filter.terminal]);
  return (
    <FilterBar
      label="Payments"
      filter={filter}
      search={{ label: "Order, session or merchant" }}
      choices={[
        { of: "status", label: "State", any: "Any state", options: stateOptions },
        { of: "terminal", label: "Terminal", any: "Any terminal", options: terminals },
      ]}
      toggle={{ of: "alerts", name: "With alert" }}
      onNarrow={onNarrow}
    />
  );
}

const stateOptions = [["open", "Not ended"], ...states.map((state) => [state, wordsOf(state).label] as const)] as const;

/** The terminals that have payments, and the terminal in the filter. */
function terminalsOf(payments: readonly PaymentView[], wanted: string): readonly (readonly [string, string])[] {
  const names = new Map(payments.map(({ terminalId, terminalName }) => [terminalId, terminalName]));
  if (wanted !== "" && !names.has(wanted)) names.set(wanted, wanted.slice(0, 8));
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b));
}
