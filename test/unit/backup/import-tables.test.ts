import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { eachTable, type Table, type WholeTables } from "../../../shared/stores/stores.ts";
import { allOf, aRestorable, authorized, nasty, newTables, rewrite } from "./a-restorable.ts";

describe("an import", () => {
  it("refuses tables that are not empty, and writes nothing", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    await expect(restorable.importInto(restorable.whole())).rejects.toThrow(/is not empty/);
  });

  it("refuses an export whose history has a gap, and names the payment", async () => {
    const restorable = await aRestorable();
    const { sessionId, now } = await authorized(restorable);
    const { terminalId } = await now();
    await restorable.exportAll();
    const file = join(restorable.folder, "Terminals.jsonl");
    const lines = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, lines.filter((line) => !line.includes("~history~000002")).join("\n"));
    const into = newTables();
    await expect(restorable.importInto(into)).rejects.toThrow(
      new RegExp(`Terminals, partition ${terminalId}, row payment~${sessionId}~now: its history goes from 1 to 3`),
    );
    for (const table of Object.values(into)) expect(await allOf(table.rowsAfter())).toEqual([]);
  });

  it("reads an export of an earlier release, which holds every character raw that JSON permits", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable, { merchantName: nasty });
    await restorable.exportAll();
    const raw = (text: string) =>
      text.replaceAll(/\\u(0085|2028|2029)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    await rewrite(restorable.folder, "Terminals", raw);
    await restorable.restore();
    expect(await payment.now()).toMatchObject({ merchantName: nasty });
  });

  it("refuses a file that was changed", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    const file = join(restorable.folder, "Partners.jsonl");
    await writeFile(file, (await readFile(file, "utf8")).replace("A partner", "B partner"));
    await expect(restorable.importInto(newTables())).rejects.toThrow(
      /partners: the file was changed after it was written/,
    );
  });

  it("continues after an interruption, with the same result as without one", async () => {
    const restorable = await aRestorable();
    for (let i = 0; i < 3; i++) await authorized(restorable);
    await restorable.exportAll();
    const into = newTables();
    let left = 0;
    const failing = eachTable((table: Table) => ({
      ...into[table],
      submit: async (...given: Parameters<WholeTables[Table]["submit"]>) => {
        if (left-- <= 0) throw new Unavailable("the tables do not respond");
        return into[table].submit(...given);
      },
    }));
    let runs = 0;
    for (let isDone = false; !isDone; runs++) {
      left = 8;
      isDone = await restorable.importInto(failing).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Unavailable)) throw error;
          return false;
        },
      );
    }
    expect(runs).toBeGreaterThan(1);
    const inboxes = await allOf(into.terminals.rowsAfter());
    expect(inboxes.filter(({ rowKey }) => rowKey.startsWith("inbox~"))).toHaveLength(3);
  });
});
