import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { PaymentDetail } from "../../../views/payments.ts";
import type { OutcomeView, PreviewView } from "../../../views/resolve.ts";
import { act } from "../../ask.ts";
import { useDoing } from "../../hooks.ts";
import { Act, Panel, Refused } from "../../parts.tsx";
import { useLive } from "../../store.ts";
import { Facts, Outcomes, Remarks } from "./resolve-fields.tsx";
import { emptyDraft, wordOf, type Draft } from "./word.ts";

/** States that end with a terminal's report or an operator's decision. */
const unanswered = new Set(["captureRequested", "voidRequested"]);

/** Nothing is in doubt about a capture that the terminal has not fetched. */
const isDoubted = ({ isInDoubt, status, waits }: PaymentDetail): boolean =>
  isInDoubt ||
  (unanswered.has(status) && !waits.some(({ refundId, isFetched }) => refundId === undefined && !isFetched));

/**
 * The form for a payment whose money may differ from the records, or was returned outside. It is folded if each alert is settled and nothing
 * is in doubt, also while a capture waits for its terminal.
 */
export function ResolvePanel({ payment }: { payment: PaymentDetail }): JSX.Element | null {
  const { id, status, currency, openAlerts, terminalId, outcomes } = payment;
  const ofDay = useLive((state) => state.alerts.filter((alert) => alert.terminalId === terminalId)) ?? [];
  const alerts = [...openAlerts, ...ofDay];
  const isInDoubt = isDoubted(payment);
  const isAsked = isInDoubt || alerts.some(({ isOver }) => !isOver);
  const wasAsked = useRef(false); // it stays open while the operator is in it
  wasAsked.current ||= isAsked;
  const isNamed = isInDoubt || unanswered.has(status) || alerts.length > 0;
  const possible = isNamed ? outcomes : outcomes.filter(({ isFree }) => isFree);
  if (possible.length === 0) return null;
  return (
    <Panel tone={isAsked ? "warn" : "plain"}>
      <details class="correction" open={wasAsked.current}>
        <summary>
          <h2>{isNamed ? titleOf(isInDoubt) : "Was money returned outside the platform?"}</h2>
        </summary>
        <div class="body">
          <Resolve paymentId={id} currency={currency} outcomes={possible} />
        </div>
      </details>
    </Panel>
  );
}

const titleOf = (isInDoubt: boolean): string => (isInDoubt ? "What happened to the money?" : "Correct the outcome");

interface ResolveProps {
  readonly paymentId: string;
  readonly currency: string;
  readonly outcomes: readonly OutcomeView[];
}

/** A preview as the page shows it. */
interface Shown extends PreviewView {
  readonly said: object;
  /** The payment has changed since an earlier preview. */
  readonly isNew: boolean;
}

/**
 * The form of an operator's decision. It first shows a preview, and then carries out the decision on exactly that version of the payment.
 */
export function Resolve({ paymentId, currency, outcomes }: ResolveProps): JSX.Element {
  const [draft, setDraft] = useState(emptyDraft);
  const [shown, setShown] = useState<Shown>();
  const [isDone, setDone] = useState(false);
  const latest = useRef(draft);
  latest.current = draft;
  const doing = useDoing();
  const path = `payments/${paymentId.split("/").map(encodeURIComponent).join("/")}`;
  const change = (more: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...more }));
    setShown(undefined);
    setDone(false);
  };
  const preview = async () => {
    setShown(undefined);
    const said = wordOf(draft, currency);
    const previewed = await act<PreviewView>(`${path}/preview`, said);
    if (latest.current === draft) setShown({ ...previewed, said, isNew: false }); // the person may have changed the form meanwhile
  };
  const carryOut = async ({ sequence, said }: Shown) => {
    const moved = await act<Partial<PreviewView>>(`${path}/resolve`, { sequence, said });
    if (moved.sequence !== undefined && moved.sentences)
      return setShown({ sequence: moved.sequence, sentences: moved.sentences, said, isNew: true });
    setShown(undefined);
    setDraft(emptyDraft);
    setDone(true);
  };
  return (
    <form
      class="resolve"
      onSubmit={(event) => {
        event.preventDefault();
        doing.run(preview);
      }}
    >
      <Outcomes outcomes={outcomes} chosen={draft.chosen} onChoose={(chosen) => change({ chosen })} />
      <Facts draft={draft} currency={currency} onChange={change} />
      <Remarks draft={draft} onChange={change} />
      <div class="act">
        <button type="submit" class="button" aria-busy={doing.isBusy} disabled={doing.isBusy}>
          Show the consequences
        </button>
        <Refused sentence={doing.refusal} />
      </div>
      <div role="status">
        {shown && <Consequences shown={shown} />}
        {isDone && <p>The decision is recorded.</p>}
      </div>
      {shown && (
        <Act key={shown.sequence} kind="main" onAct={() => carryOut(shown)}>
          Record the outcome
        </Act>
      )}
    </form>
  );
}

const Consequences = ({ shown: { isNew, sentences } }: { shown: Shown }): JSX.Element => (
  <>
    <p class={isNew ? "is-bad" : "quiet"}>
      {isNew ? "The payment has changed, so nothing was done. The consequences are now:" : "The consequences:"}
    </p>
    <ul class="consequences">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </>
);
