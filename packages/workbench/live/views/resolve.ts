/** An outcome that an operator can record, as a choice in a form. */
export interface OutcomeView {
  /** The members of a decision, as `preview` and `resolve` take them: `of`, `outcome`, and the identifier of the subject. */
  readonly said: Readonly<Record<string, string>>;
  /** The same as a sentence, with its amount. */
  readonly text: string;
  /** The amount in the major unit that it is recorded with, if the operator types none. */
  readonly amount?: number;
  /** The tip in this amount. */
  readonly tip?: number;
  /** It may be recorded although no alert is open and nothing is in doubt. */
  readonly isFree?: true;
}

/** The effects of an operator's decision on the payment's current state. */
export interface PreviewView {
  /** The payment's sequence. The decision is carried out only if the payment still has it. */
  readonly sequence: number;
  readonly sentences: readonly string[];
}
