/**
 * Settles one message in each turn of the event loop. rhea, under the client, sends the first of two outcomes that are decided in one turn
 * for both: a message that was abandoned next to a completed one would be completed too, and lost.
 */
export function oneEachTurn(): <T>(settle: () => Promise<T>) => Promise<T> {
  let turn: Promise<void> = Promise.resolve();
  return (settle) => {
    turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return turn.then(settle);
  };
}
