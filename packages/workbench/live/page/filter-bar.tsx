import type { JSX } from "preact";

/** A choice of one value. The first option, with the name `any`, does not filter. */
interface Choices<Filter> {
  readonly of: keyof Filter;
  readonly label: string;
  readonly any: string;
  readonly options: readonly (readonly [value: string, name: string])[];
}

interface FilterBarProps<Filter> {
  /** The filtered items. */
  readonly label: string;
  readonly filter: Filter;
  readonly search: { readonly label: string; readonly placeholder?: string };
  readonly choices: readonly Choices<Filter>[];
  /** A button that is pressed or not. */
  readonly toggle?: { readonly of: keyof Filter; readonly name: string };
  readonly onNarrow: (filter: Filter) => void;
}

/** The filter above a list: a text, choices, and a button if there is one. */
export function FilterBar<Filter extends { readonly text: string }>(props: FilterBarProps<Filter>): JSX.Element {
  const { label, filter, search, choices, toggle, onNarrow } = props;
  const narrow = (member: keyof Filter, value: string | boolean) => onNarrow({ ...filter, [member]: value });
  return (
    <form class="filter-bar" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label={search.label}
        placeholder={search.placeholder ?? search.label}
        value={filter.text}
        onInput={({ currentTarget }) => narrow("text", currentTarget.value)}
      />
      {choices.map(({ of, label, any, options }) => (
        <select
          key={of}
          aria-label={label}
          value={String(filter[of])}
          onChange={({ currentTarget }) => narrow(of, currentTarget.value)}
        >
          <option value="">{any}</option>
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      ))}
      {toggle && (
        <button
          type="button"
          class="button"
          aria-pressed={Boolean(filter[toggle.of])}
          onClick={() => narrow(toggle.of, !filter[toggle.of])}
        >
          {toggle.name}
        </button>
      )}
    </form>
  );
}
