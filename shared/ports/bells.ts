/**
 * Wakes the polls that wait for a terminal's messages, in any process. This is best effort: a bell may be lost, late or duplicated, and
 * nothing relies on it. Every poll also reads its inbox by itself from time to time. So a lost bell costs seconds, and never a message.
 */
export interface Bells {
  /** A message was enqueued for the terminal. Returns at once, and never throws. */
  ring(terminalId: string): void;
  /** Calls `wake` whenever the terminal may have a message. Returns a function that ends this. */
  listen(terminalId: string, wake: () => void): () => void;
}
