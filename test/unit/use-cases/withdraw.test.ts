import { describe, expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import type { NewMessage } from "../../../shared/stores/inboxes.ts";
import { type Inboxes, inboxesTable } from "../../../shared/stores/inboxes.ts";
import { takeOutMessage, withdrawMessage } from "../../../shared/use-cases/terminals/withdraw-message.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

const terminalId = "A";
const slot = { createdAt: "2026-11-21T10:00:00.000Z", sessionId: "s1", sequence: 4 };
const message: NewMessage = { slot, messageId: "c4", message: { type: "void", amount: 12_550, currency: "SEK" } };

type Act = (inboxes: Inboxes) => Promise<void>;
const rowOf = async (inboxes: Inboxes) => {
  const [row] = await inboxes.unanswered(terminalId);
  if (!row) throw new Error("there is no message");
  return row;
};
const filed: Act = (inboxes) => inboxes.post(terminalId, message);
const fetched: Act = async (inboxes) => inboxes.lease(terminalId, await rowOf(inboxes), "2026-11-21T10:00:10.000Z");
const reverseCharges: Act = async (inboxes) => inboxes.withdraw(terminalId, slot, await rowOf(inboxes));
const removed: Act = async (inboxes) => inboxes.remove(terminalId, await rowOf(inboxes));

const lives = [
  { life: "filed, fetched and answered", acts: [filed, fetched, removed], mayBeFetched: true },
  { life: "filed, taken back and swept away", acts: [filed, reverseCharges, removed], mayBeFetched: false },
];
/** How many of three acts have ended before the first, second, third and last call of a withdrawal. */
const moments = [0, 1, 2, 3].flatMap((a) =>
  [0, 1, 2, 3].flatMap((b) =>
    [0, 1, 2, 3].flatMap((c) => [0, 1, 2, 3].flatMap((d) => (a <= b && b <= c && c <= d ? [[a, b, c, d]] : []))),
  ),
);

describe.each(lives)("a withdrawal while the message is $life by others", ({ acts, mayBeFetched }) => {
  it.each(moments)("reports its true outcome (%i, %i, %i, %i acts before its calls)", async (...before) => {
    const rows = inMemoryRows();
    const others = inboxesTable(rows);
    let [calls, done] = [0, 0];
    /** One of our calls to the tables, once the others have got this far. */
    const call = async <T>(apply: () => Promise<T>): Promise<T> => {
      const until = before[calls++] ?? acts.length;
      while (done < until) await acts[done++]?.(others);
      return apply();
    };
    const ours = inboxesTable({
      ...rows,
      get: (partition, key) => call(() => rows.get(partition, key)),
      submit: (partition, operations) => call(() => rows.submit(partition, operations)),
    });

    const certain = await withdrawMessage(ours, terminalId, slot).catch((error: unknown) => {
      if (error instanceof Conflict) return "to be tried again";
      throw error;
    });

    const isWithdrawn = (await others.find(terminalId, slot))?.withdrawn ?? false;
    if (certain === true) expect(isWithdrawn).toBe(true);
    if (certain === false) expect({ isWithdrawn, mayBeFetched }).toEqual({ isWithdrawn: false, mayBeFetched: true });
  });
});

describe("a message that an operator's resolution withdraws", () => {
  const states: readonly (readonly [string, readonly Act[], string | undefined])[] = [
    ["is waiting", [filed], "resolved"],
    ["was fetched", [filed, fetched], "resolved"],
    ["was never filed", [], undefined],
  ];
  it.each(states)(
    "and %s is neither delivered nor enqueued, and shows nothing about the terminal",
    async (_, acts, state) => {
      const inboxes = inboxesTable(inMemoryRows());
      for (const act of acts) await act(inboxes);
      await takeOutMessage(inboxes, terminalId, slot);
      expect(await inboxes.find(terminalId, slot)).toMatchObject({ withdrawn: false, resolved: true });
      expect((await inboxes.find(terminalId, slot))?.row?.state).toBe(state);
      await expect(filed(inboxes)).rejects.toThrow(Conflict);
      expect(await withdrawMessage(inboxes, terminalId, slot)).toBe(false);
    },
  );

  it("stays withdrawn, or answered, if it was before", async () => {
    const inboxes = inboxesTable(inMemoryRows());
    await filed(inboxes);
    await reverseCharges(inboxes);
    await takeOutMessage(inboxes, terminalId, slot);
    expect(await inboxes.find(terminalId, slot)).toMatchObject({ withdrawn: true, row: { state: "withdrawn" } });
    await removed(inboxes);
    await takeOutMessage(inboxes, terminalId, slot);
    expect((await inboxes.find(terminalId, slot))?.resolved).toBeUndefined();
  });
});
