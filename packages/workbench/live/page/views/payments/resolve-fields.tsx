import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { OutcomeView } from "../../../views/resolve.ts";
import { amountName, isOutside, isPaid, type Draft } from "./word.ts";

// The properties of fields for an operator's decision.

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (more: Partial<Draft>) => void;
}

interface OutcomesProps {
  readonly outcomes: readonly OutcomeView[];
  readonly chosen: OutcomeView | undefined;
  readonly onChoose: (outcome: OutcomeView) => void;
}

/** The possible outcomes, side by side. The page does not suggest an outcome. */
export function Outcomes({ outcomes, chosen, onChoose }: OutcomesProps): JSX.Element {
  const name = useId();
  return (
    <fieldset class="outcomes">
      <legend>What do the acquirer&#8217;s records say?</legend>
      {outcomes.map((outcome) => (
        <label key={outcome.text}>
          <input
            type="radio"
            name={name}
            required
            checked={chosen?.text === outcome.text}
            onChange={() => onChoose(outcome)}
          />
          <span>{outcome.text}</span>
        </label>
      ))}
    </fieldset>
  );
}

type FactsProps = FieldsProps & { readonly currency: string };

/** The captured amount with its tip or the refunded amount, and its business day, or the amount that was returned outside and its reference. */
export function Facts({ draft, currency, onChange }: FactsProps): JSX.Element {
  const { chosen, amount, tip, businessDay } = draft;
  const name = amountName(chosen);
  if (isOutside(chosen)) return <OutsideFacts {...{ draft, currency, onChange }} />;
  return (
    <div class="resolve-facts">
      {name !== undefined && (
        <label>
          {name} amount, {currency}
          <input
            inputMode="decimal"
            value={amount}
            placeholder={chosen?.amount?.toString() ?? "if more than one is possible"}
            onInput={({ currentTarget }) => onChange({ amount: currentTarget.value })}
          />
        </label>
      )}
      {isPaid(chosen) && (
        <label>
          Tip in this amount, {currency}
          <input
            inputMode="decimal"
            value={tip}
            placeholder={chosen?.tip?.toString() ?? "if the customer was asked for one"}
            onInput={({ currentTarget }) => onChange({ tip: currentTarget.value })}
          />
        </label>
      )}
      <label>
        Business day, if the terminal counted it
        <input
          type="date"
          value={businessDay}
          onInput={({ currentTarget }) => onChange({ businessDay: currentTarget.value })}
        />
      </label>
    </div>
  );
}

const OutsideFacts = ({ draft, currency, onChange }: FactsProps): JSX.Element => (
  <div class="resolve-facts">
    <label>
      Returned amount, {currency}
      <input
        inputMode="decimal"
        value={draft.amount}
        required
        onInput={({ currentTarget }) => onChange({ amount: currentTarget.value })}
      />
    </label>
    <label>
      The acquirer&#8217;s reference (only operators see it)
      <input
        value={draft.reference}
        required
        maxLength={64}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange({ reference: currentTarget.value })}
      />
    </label>
  </div>
);

/** The operator's name and reason, and the note for the partner. */
export const Remarks = ({ draft, onChange }: FieldsProps): JSX.Element => (
  <div class="resolve-facts">
    <WhoAndWhy by={draft.by} why={draft.why} onChange={onChange} />
    <label>
      A note that the partner reads, if any
      <input
        value={draft.note}
        maxLength={1_000}
        onInput={({ currentTarget }) => onChange({ note: currentTarget.value })}
      />
    </label>
  </div>
);

interface WhoProps {
  readonly by: string;
  readonly why: string;
  readonly onChange: (more: { readonly by?: string; readonly why?: string }) => void;
}

/** Both fields are required, and only operators see them. */
export const WhoAndWhy = ({ by, why, onChange }: WhoProps): JSX.Element => (
  <>
    <label>
      Decided by (only operators see it)
      <input
        value={by}
        required
        maxLength={1_000}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange({ by: currentTarget.value })}
      />
    </label>
    <label>
      Why (only operators see it)
      <input
        value={why}
        required
        maxLength={1_000}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange({ why: currentTarget.value })}
      />
    </label>
  </>
);
