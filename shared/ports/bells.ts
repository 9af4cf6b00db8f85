/**
 * Wakes the polls that wait for a terminal's messages, in any process. Best effort: a bell may be lost, late or doubled, and no promise
 * rests on it. Every poll also reads its inbox by itself from time to time, so a lost bell costs seconds and never a message.
 */
export interface Bells {
  /** A message was enqueued for the terminal. Returns at once, and never throws. */
  ring(terminalId: string): void;
  /** Calls `wake` whenever the terminal may have a message. The function that it returns ends this. */
  listen(terminalId: string, wake: () => void): () => void;
}
