/** One of the outcomes that an operator can record, as a choice of a form. */
export interface OutcomeView {
  /** The members of the word that say it, as `preview` and `resolve` take them: `of`, `outcome`, and the identifier of what it is of. */
  readonly said: Readonly<Record<string, string>>;
  /** The same as a sentence, with its amount. */
  readonly text: string;
}

/** The effects of an operator's word, decided on the payment as it stands. */
export interface PreviewView {
  /** The payment's sequence. The word is carried out only while the payment has it. */
  readonly sequence: number;
  readonly sentences: readonly string[];
}
