import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Unavailable } from "../../shared/ports/failures.ts";
import { toColumns } from "../../shared/stores/record.ts";
import { partnerId, terminalId } from "../support/platform.ts";
import { aRestorable } from "../unit/backup/a-restorable.ts";

it("an export writes a large feed page by page, and an interrupted one continues after the last complete partition", async () => {
  const restorable = await aRestorable();
  const whole = restorable.whole();
  const EVENTS = 150_000; // as arguments of one call these would overflow the stack
  const subject = { kind: "payment", partnerId, terminalId, sessionId: "a session" };
  const columns = toColumns({
    number: 1,
    body: "{}",
    subject,
    commandId: "a command",
    enteredAt: "2026-11-21T10:00:00.000Z",
  });
  let endsAfter = EVENTS / 2;
  const large = {
    ...whole,
    feeds: {
      ...whole.feeds,
      async *rowsAfter(after = "") {
        const partitions = [
          ["partner 1", 10],
          ["partner 2", EVENTS],
        ] as const;
        for (const [partitionKey, count] of partitions.filter(([name]) => name > after))
          for (let i = 0; i < count; i++) {
            if (i === endsAfter) throw new Unavailable("the tables do not respond");
            yield { partitionKey, rowKey: `event~${String(i).padStart(15, "0")}`, columns, etag: "" };
          }
      },
    },
  };
  await expect(restorable.exportAll(large)).rejects.toThrow(Unavailable);
  endsAfter = Infinity;
  const { tables, damaged } = await restorable.exportAll(large);
  expect(damaged).toEqual([]);
  expect(tables["feeds"]).toMatchObject({ rows: EVENTS + 10, partitions: 2 });
  const lines = (await readFile(join(restorable.folder, "Feeds.jsonl"), "utf8")).split("\n");
  expect(new Set(lines).size).toBe(EVENTS + 10 + 1);
});
