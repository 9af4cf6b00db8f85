import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { FaultInput } from "../../../views/faults.ts";
import type { StackView } from "../../../views/stack.ts";
import { act } from "../../ask.ts";
import { Act, Choice, Panel } from "../../parts.tsx";
import { kindsOf, type Service } from "./kinds.ts";

const LONGEST_SECONDS = 3_600;
const LONGEST_MS = 60_000;

interface Draft {
  readonly service: Service;
  /** Empty for all of them. */
  readonly name: string;
  readonly kind: string;
  readonly seconds: string;
  readonly milliseconds: string;
}

const first: Draft = { service: "tables", name: "", kind: "away", seconds: "10", milliseconds: "700" };

/** A whole number from 1 to `most`. Undefined for anything else. */
function countIn(text: string, most: number): number | undefined {
  const count = /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= most ? count : undefined;
}

function inputOf({ service, name, kind, ...numbers }: Draft): FaultInput | undefined {
  const seconds = countIn(numbers.seconds, LONGEST_SECONDS);
  const milliseconds = countIn(numbers.milliseconds, LONGEST_MS);
  if (seconds === undefined) return undefined;
  const input = { service, ...(name !== "" && { name }), kind, seconds };
  if (kind !== "slow") return input;
  return milliseconds === undefined ? undefined : { ...input, milliseconds };
}

/** A custom fault: its target, its kind and its duration. */
export function CustomFault({ stack }: { stack: StackView }): JSX.Element {
  const [draft, setDraft] = useState(first);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const { service, kind } = draft;
  const input = inputOf(draft);
  const names = service === "tables" ? stack.tables : stack.queueNames;
  return (
    <Panel title="Any other fault">
      <form class="body fault-form" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="On"
          value={service}
          options={[
            ["tables", "tables"],
            ["queues", "bus"],
          ]}
          onChoose={(service) => set({ service, name: "", kind: "away" })}
        />
        <label>
          {service === "tables" ? "Which table" : "Which queue"}
          <select value={draft.name} onChange={(event) => set({ name: event.currentTarget.value })}>
            <option value="">all of them</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="is-wide">
          What it does
          <select value={kind} onChange={(event) => set({ kind: event.currentTarget.value })}>
            {kindsOf(service).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <Count label="Seconds" text={draft.seconds} most={LONGEST_SECONDS} onText={(seconds) => set({ seconds })} />
        {kind === "slow" && (
          <Count
            label="Delay in milliseconds"
            text={draft.milliseconds}
            most={LONGEST_MS}
            onText={(milliseconds) => set({ milliseconds })}
          />
        )}
        <Act disabled={input === undefined} onAct={() => act("faults", input)}>
          Start it
        </Act>
      </form>
    </Panel>
  );
}

function Count({
  label,
  text,
  most,
  onText,
}: {
  label: string;
  text: string;
  most: number;
  onText: (text: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}
      <input
        inputMode="numeric"
        autoComplete="off"
        value={text}
        title={`1 to ${most}`}
        aria-invalid={countIn(text, most) === undefined}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </label>
  );
}
