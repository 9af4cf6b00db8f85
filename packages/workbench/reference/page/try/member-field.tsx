import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { Line } from "../prose.tsx";

interface ValueFieldProps {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  readonly isNumber?: boolean;
  readonly onType: (typed: string) => void;
  /** Removes the value. Undefined if it is required. */
  readonly onRemove?: (() => void) | undefined;
}

/** One value with its name and meaning. */
export function ValueField(props: ValueFieldProps): JSX.Element {
  const { name, description, isRequired, choices, value, isNumber = false, onType, onRemove } = props;
  const id = useId();
  const shared = { id: `${id}-value`, "aria-describedby": `${id}-means`, "aria-required": isRequired };
  return (
    <div class="value-field">
      <label for={`${id}-value`}>
        <code>{name}</code>
      </label>
      <div class="value-input">
        {choices.length > 0 ? (
          <select {...shared} value={value} onChange={({ currentTarget }) => onType(currentTarget.value)}>
            {choices.every(([one]) => one !== value) && <option value={value}>{value}</option>}
            {choices.map(([one, label]) => (
              <option key={one} value={one}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <Typed {...shared} value={value} isNumber={isNumber} onType={onType} />
        )}
        {onRemove && (
          <button type="button" class="button leave-out" aria-label={`Leave out ${name}`} onClick={onRemove}>
            ×
          </button>
        )}
      </div>
      <p id={`${id}-means`} class="quiet">
        <Line>{description}</Line>
      </p>
    </div>
  );
}

interface TypedProps {
  readonly id: string;
  readonly value: string;
  readonly isNumber: boolean;
  readonly onType: (typed: string) => void;
}

/** Keeps the typed text while it means the same value, so that "12." can become "12.5". */
function Typed({ value, isNumber, onType, ...rest }: TypedProps): JSX.Element {
  const [draft, setDraft] = useState({ typed: value, value });
  const typed = draft.value === value ? draft.typed : value;
  return (
    <input
      {...rest}
      type="text"
      inputMode={isNumber ? "decimal" : "text"}
      autoComplete="off"
      spellcheck={false}
      value={typed}
      onInput={({ currentTarget }) => {
        const next = currentTarget.value;
        const isSame = isNumber && Number(next.replace(",", ".")) === Number(value) && next.trim() !== "";
        setDraft({ typed: next, value: isSame ? value : next });
        if (!isSame) onType(next);
      }}
    />
  );
}
