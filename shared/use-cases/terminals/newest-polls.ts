/** A poll that waits for its terminal's next message. */
export interface Poll {
  /** Whether its terminal has asked anew since. */
  isOvertaken(): boolean;
  end(): void;
}

/** The polls of one process. */
export interface Polls {
  begin(terminalId: string): Poll;
}

/**
 * Remembers the newest poll of each terminal: a terminal asks anew once it has given up the poll before, which nobody else tells the
 * process. So one poll waits for a terminal at most, however many are abandoned.
 */
export function newestPolls(): Polls {
  const newest = new Map<string, symbol>();
  return {
    begin(terminalId) {
      const own = Symbol(terminalId);
      newest.set(terminalId, own);
      const isOvertaken = () => newest.get(terminalId) !== own;
      return { isOvertaken, end: () => void (isOvertaken() || newest.delete(terminalId)) };
    },
  };
}
