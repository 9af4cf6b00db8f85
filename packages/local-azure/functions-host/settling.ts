/**
 * Settles one message in each turn of the event loop. If two outcomes are decided in one turn, rhea (under the client) sends the first one
 * for both messages. A message that is abandoned next to a completed one would then be completed too, and lost.
 */
export function oneEachTurn(): <T>(settle: () => Promise<T>) => Promise<T> {
  let turn: Promise<void> = Promise.resolve();
  return (settle) => {
    turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return turn.then(settle);
  };
}
