import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { exportTables } from "../../../infra/backup/export-tables.ts";
import { exportFolder, importFolder } from "../../../infra/backup/folder.ts";
import { importTables } from "../../../infra/backup/import-tables.ts";
import { orderOf } from "../../../shared/domain/payment/order.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import type { PaymentRequest } from "../../../shared/domain/payment/create-payment.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import type { Row } from "../../../shared/tables/rows.ts";
import { eachTable, type Table, type WholeTables } from "../../../shared/tables/table-ports.ts";
import { repair } from "../../../shared/use-cases/repair/repair.ts";
import { approval, aPaymentOn } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform } from "../../support/platform.ts";

async function allOf(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

const newTables = (): WholeTables => eachTable(() => inMemoryRows());

/** A platform whose tables can be exported into a folder, and restored from it. */
async function aRestorable() {
  const folder = await mkdtemp(join(tmpdir(), "export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let tables = newTables();
  const platform = await aPlatform({
    open: (table) => ({
      get: (...given) => tables[table].get(...given),
      withPrefix: (...given) => tables[table].withPrefix(...given),
      submit: (...given) => tables[table].submit(...given),
      remove: (...given) => tables[table].remove(...given),
    }),
  });
  const call = aCall(platform.deps);
  const importInto = async (into: WholeTables) => {
    const deps = { tables: into, timings: standardTimings, log: platform.deps.log };
    return importTables(deps, await importFolder(folder, "these tables"), call);
  };
  return {
    platform,
    folder,
    whole: () => tables,
    exportAll: async (from = tables) => exportTables(from, await exportFolder(folder), call),
    importInto,
    /** The tables and queues are lost; the export is imported, and what is undone is announced. */
    async restore() {
      platform.queued.length = 0;
      const fresh = newTables();
      const imported = await importInto(fresh);
      tables = fresh;
      await repair(platform.deps, call, { all: true, dryRun: false });
      await platform.pass();
      return imported;
    },
  };
}

async function authorized(restorable: Awaited<ReturnType<typeof aRestorable>>, more: Partial<PaymentRequest> = {}) {
  const payment = await aPaymentOn(restorable.platform, more);
  await payment.tell("accepted", { messageId: (await payment.fetch())?.messageId });
  await payment.tell("authorized", approval);
  return payment;
}

/** Each test lives through a restore: files are written and read. */
describe("a payment that was restored from an export", { timeout: 60_000 }, () => {
  it("is captured by the terminal's word where it was captured after the export, and nothing is handed out again", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await restorable.exportAll();
    await payment.capture();
    await restorable.platform.pass();
    await payment.tell("captured", { messageId: (await payment.fetch())?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "captured" });

    expect(await restorable.restore()).toMatchObject({ queried: 1 });
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "outcomeUnknown" });
    expect(await payment.capture()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    const query = await payment.fetch();
    expect(query?.message).toEqual({ type: "statusQuery", first: true });
    await payment.tell("captured", { messageId: query?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
    expect(await payment.open()).toEqual([]);
  });

  it("has its capture handed out only after its query is answered", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await payment.capture();
    await restorable.platform.pass();
    await restorable.exportAll();
    await restorable.restore();
    const query = await payment.fetch();
    expect(query?.message.type).toBe("statusQuery");
    expect(await payment.fetch()).toBeUndefined();
    await payment.tell("authorized", { messageId: query?.messageId, ...approval });
    expect((await payment.fetch())?.message.type).toBe("capture");
  });

  it("keeps an approval of the lost time, and notifies the partner under a sequence that no lost event had", async () => {
    const restorable = await aRestorable();
    const payment = await aPaymentOn(restorable.platform, { captureMode: "automatic" });
    await restorable.exportAll();
    const request = await payment.fetch();
    await payment.tell("accepted", { messageId: request?.messageId });
    await payment.tell("authorized", { messageId: request?.messageId, ...approval });
    const { sequence } = await payment.now();

    await restorable.restore();
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    await payment.tell("authorized", { messageId: (await payment.fetch())?.messageId, ...approval });
    const restored = await payment.now();
    expect(restored).toMatchObject({ status: "captured", charges: [{ status: "captured" }] });
    expect(restored.sequence).toBeGreaterThan(sequence + 100);
    expect(payment.events().at(-1)).toBe("payment.captured");
  });

  it("is captured also where the books lack its charge", async () => {
    const restorable = await aRestorable();
    const payment = await aPaymentOn(restorable.platform);
    await restorable.exportAll();
    await restorable.restore();
    await payment.tell("captured", { messageId: (await payment.fetch())?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "captured", charges: [{ chargeId: "charge-1" }] });
  });

  it("has its refund made once, whether the terminal had made it or not", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable, { captureMode: "automatic" });
    await payment.refund(10, { refundId: "aaaaaaaa-0000-4000-8000-000000000001" });
    await restorable.exportAll();
    await restorable.restore();
    const query = await payment.fetch();
    expect(query?.message).toMatchObject({ type: "statusQuery", first: true });
    const named = { refundId: "aaaaaaaa-0000-4000-8000-000000000001", messageId: query?.messageId };
    await payment.tell("refundFailed", named);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "pending" }] });
    const refund = await payment.fetch();
    expect(refund?.message.type).toBe("refund");
    await payment.tell("refunded", { ...named, messageId: refund?.messageId, amount: 1_000, currency: "SEK" });
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }] });
    expect(await payment.open()).toEqual([]);
  });

  it("is not taken for undelivered: what its terminal may have fetched since the export is not withdrawn", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await payment.capture(); // committed, and not filed yet
    await restorable.exportAll();
    await restorable.restore();
    await restorable.platform.pass(standardTimings.outcomeSeconds + 1);
    expect(await payment.now()).toMatchObject({ status: "captureRequested", statusReason: "outcomeUnknown" });
  });

  it("has a second card's charge reversed, also while its query is not answered", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await restorable.exportAll();
    await restorable.restore();
    await payment.tell("authorized", { ...approval, chargeId: "charge-2" });
    expect((await payment.now()).charges.map(({ chargeId, status }) => [chargeId, status])).toEqual([
      ["charge-1", "authorized"],
      ["charge-2", "reversing"],
    ]);
  });

  it("holds its order, also where the export lacks its admission", async () => {
    const restorable = await aRestorable();
    const { orders } = restorable.platform.deps;
    const { now, sessionId } = await aPaymentOn(restorable.platform, { references: { orderId: "an order" } });
    const order = orderOf(await now());
    if (!order) throw new Error("the payment names no order");
    await orders.save(order, [], await orders.find(order));
    await restorable.exportAll();
    await restorable.restore();
    expect((await orders.find(order))?.holders).toMatchObject([{ sessionId }]);
  });
});

describe("an import", { timeout: 60_000 }, () => {
  it("refuses tables that are not empty, and writes nothing", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    await expect(restorable.importInto(restorable.whole())).rejects.toThrow(/is not empty/);
  });

  it("refuses an export whose history has a gap, and names the payment", async () => {
    const restorable = await aRestorable();
    const { sessionId } = await authorized(restorable);
    await restorable.exportAll();
    const file = join(restorable.folder, "Payments.jsonl");
    const lines = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, lines.filter((line) => !line.includes('"row":"history~000002"')).join("\n"));
    const into = newTables();
    await expect(restorable.importInto(into)).rejects.toThrow(
      new RegExp(`payment ${sessionId} .*its history goes from 1 to 3`),
    );
    for (const table of Object.values(into)) expect(await allOf(table.rowsAfter())).toEqual([]);
  });

  it("refuses a file that is not as it was written", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    const file = join(restorable.folder, "Partners.jsonl");
    await writeFile(file, (await readFile(file, "utf8")).replace("A partner", "B partner"));
    await expect(restorable.importInto(newTables())).rejects.toThrow(/partners: the file is not as it was written/);
  });

  it("goes on where it was interrupted, and ends as one that was not", async () => {
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

describe("an export", { timeout: 60_000 }, () => {
  it("goes on where it was interrupted, and holds each row once", async () => {
    const restorable = await aRestorable();
    for (let i = 0; i < 3; i++) await authorized(restorable);
    const whole = restorable.whole();
    const ending = eachTable((table: Table) => ({
      ...whole[table],
      async *rowsAfter(after?: string) {
        yield* whole[table].rowsAfter(after);
        if (table === "payments" && after === undefined) throw new Unavailable("the tables do not respond");
      },
    }));
    await expect(restorable.exportAll(ending)).rejects.toThrow(Unavailable);
    await appendFile(join(restorable.folder, "Payments.jsonl"), "half a li");
    const { tables } = await restorable.exportAll();
    const rows = await allOf(whole.payments.rowsAfter());
    expect(tables["payments"]?.rows).toBe(rows.length);
    await expect(exportFolder(restorable.folder)).rejects.toThrow(/holds a finished export/);
  });

  it("shows records as a person reads them", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    const [line = ""] = (await readFile(join(restorable.folder, "Partners.jsonl"), "utf8")).split("\n");
    expect(JSON.parse(line)).toMatchObject({ record: { partnerId: expect.any(String) } });
  });
});
