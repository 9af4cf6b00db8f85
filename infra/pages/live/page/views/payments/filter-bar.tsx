import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { PaymentView } from "../../../views/payments.ts";
import { wordsOf } from "../../words.ts";
import { states, type Filter } from "./filter.ts";

interface FilterBarProps {
  readonly filter: Filter;
  readonly payments: readonly PaymentView[];
  readonly onNarrow: (filter: Filter) => void;
}

export function FilterBar({ filter, payments, onNarrow }: FilterBarProps): JSX.Element {
  const terminals = useMemo(() => terminalsOf(payments, filter.terminal), [payments, filter.terminal]);
  const narrow = (change: Partial<Filter>) => onNarrow({ ...filter, ...change });
  return (
    <form class="filter-bar" role="search" aria-label="Payments" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Order, session or merchant"
        placeholder="Order, session or merchant"
        value={filter.text}
        onInput={({ currentTarget }) => narrow({ text: currentTarget.value })}
      />
      <select
        aria-label="State"
        value={filter.status}
        onChange={({ currentTarget }) => narrow({ status: currentTarget.value })}
      >
        <option value="">Any state</option>
        <option value="open">Not ended</option>
        {states.map((state) => (
          <option key={state} value={state}>
            {wordsOf(state).label}
          </option>
        ))}
      </select>
      <select
        aria-label="Terminal"
        value={filter.terminal}
        onChange={({ currentTarget }) => narrow({ terminal: currentTarget.value })}
      >
        <option value="">Any terminal</option>
        {terminals.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button"
        aria-pressed={filter.alerts}
        onClick={() => narrow({ alerts: !filter.alerts })}
      >
        With alert
      </button>
    </form>
  );
}

/** The terminals that have payments, and the terminal in the filter. */
function terminalsOf(payments: readonly PaymentView[], wanted: string): readonly (readonly [string, string])[] {
  const names = new Map(payments.map(({ terminalId, terminalName }) => [terminalId, terminalName]));
  if (wanted !== "" && !names.has(wanted)) names.set(wanted, wanted.slice(0, 8));
  return [...names].toSorted(([, a], [, b]) => a.localeCompare(b));
}
