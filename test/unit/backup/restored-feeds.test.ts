import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { feedEventRow, feedPartition } from "../../../shared/stores/keys.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import { tablePorts, type Table, type WholeTables } from "../../../shared/stores/stores.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { partnerId, type Platform } from "../../support/platform.ts";
import { readEvents } from "../../support/read-events.ts";
import { aRestorable, allOf, authorized, copyOf, newTables } from "./a-restorable.ts";

type Restorable = Awaited<ReturnType<typeof aRestorable>>;

/** A captured payment, which has two events. */
async function captured(restorable: Restorable) {
  const payment = await authorized(restorable, { captureMode: "automatic" });
  await restorable.platform.pass();
  return payment;
}
const both = ["payment.inProgress", "payment.captured"];

async function refunded({ platform }: Restorable, payment: Awaited<ReturnType<typeof captured>>) {
  await payment.refund(25);
  await payment.sendReport("refunded", { messageId: (await payment.fetch())?.messageId });
  await platform.pass();
}

/** Every table as it is now. A later export of the feeds combines these with the newer feeds. */
async function copies({ whole }: Restorable): Promise<WholeTables> {
  const names = Object.keys(whole()) as Table[];
  const copied = await Promise.all(names.map(async (name) => [name, await copyOf(whole()[name])] as const));
  return Object.fromEntries(copied) as unknown as WholeTables;
}

/** The events that a reader gets after this number. Fails if the platform refuses the number. */
async function read({ deps }: Platform, number?: number) {
  const events = await readEvents(deps, number);
  if (!events.ok) throw new Error(events.error.code);
  return events.value;
}

describe("the feed after a restore", () => {
  it("can be followed from before its export, at it and after it, and uses no number twice", async () => {
    const restorable = await aRestorable();
    const { platform } = restorable;
    await captured(restorable);
    await restorable.exportAll();
    await captured(restorable);
    await captured(restorable);
    const lost = await read(platform);
    expect(lost.next).toBe(6);
    await restorable.restore();
    await captured(restorable);

    const all = await read(platform, 0);
    expect(all.types).toEqual([...both, ...both]);
    expect((await read(platform)).types).toEqual(all.types);
    expect(all.next).toBeGreaterThan(1_000_000);
    expect((await read(platform, 1)).types).toEqual(["payment.captured", ...both]);
    for (const number of [2, 3, 6, 900_000])
      expect(await read(platform, number)).toMatchObject({ types: both, next: all.next });

    await platform.pass(1); // the same export again, so events that were read after the first restore are lost, too
    await restorable.restore();
    await captured(restorable);
    const again = await read(platform, all.next);
    expect(again.types).toEqual(both);
    expect(again.next).toBeGreaterThan(all.next + 2);
    expect((await read(platform, 2)).types).toEqual(both);
  });

  it("can be followed if it was empty at the export", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    await captured(restorable);
    await restorable.restore();
    await captured(restorable);
    expect((await read(restorable.platform)).types).toEqual(both);
    expect((await read(restorable.platform, 2)).types).toEqual(both);
  });

  it("has the events of changes that replace lost ones, even if the export has events of the lost ones", async () => {
    const restorable = await aRestorable();
    const payment = await captured(restorable);
    const before = await copies(restorable);
    await refunded(restorable, payment);
    await captured(restorable); // a payment that is not in the export at all
    await restorable.exportAll({ ...before, feeds: restorable.whole().feeds });
    await restorable.restore();
    const exported = await read(restorable.platform);
    const refund = ["refund.requested", "refund.succeeded"];
    expect(exported.types).toEqual([...both, ...refund, ...both]);
    await refunded(restorable, payment);
    expect((await read(restorable.platform, exported.next)).types).toEqual(refund);
  });

  it("has every event once, even if events were written during the export", async () => {
    const restorable = await aRestorable();
    const payment = await aPaymentOn(restorable.platform, { captureMode: "automatic" });
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.sendReport("accepted", { messageId });
    await payment.sendReport("authorized", { ...approval, messageId }, "wait");
    const before = await copies(restorable); // the webhook of the second event is not done
    await restorable.platform.pass();
    await captured(restorable);
    const feeds = await copyOf(restorable.whole().feeds);
    // The export passed the row of the second event before it existed, and read the rows that were written later.
    await feeds.submit(feedPartition(partnerId), [{ kind: "discard", rowKey: feedEventRow(2) }]);
    await restorable.exportAll({ ...before, feeds });
    await restorable.restore();
    const { types, bodies } = await read(restorable.platform);
    expect(types).toEqual(["payment.inProgress", ...both, "payment.captured"]);
    const ofPayment = bodies.map(
      (body) => JSON.parse(body) as { id: string; type: string; data: { sessionID: string } },
    );
    const own = ofPayment.filter(({ data }) => data.sessionID === payment.sessionId);
    expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
    expect(own.map(({ type }) => type)).toEqual(both);
  });

  it("leaves out the events that a purge removed during the export", async () => {
    const restorable = await aRestorable();
    await captured(restorable);
    await captured(restorable);
    const { feeds } = restorable.whole();
    const copied = await copyOf(feeds);
    const head = (await tablePorts({ ...restorable.whole(), feeds: copied }).feeds.head(partnerId)) ?? { etag: "" };
    const { retention } = restorable.platform.deps;
    await restorable.platform.pass(60);
    await retention.removeEvents(partnerId, restorable.platform.deps.clock.now());
    // The rows of the events were read before the purge, and the head after it.
    const row = await feeds.get(feedPartition(partnerId), "feed");
    if (!row) throw new Error("no head");
    await copied.submit(feedPartition(partnerId), [
      { kind: "replace", rowKey: "feed", columns: row.columns, etag: head.etag },
    ]);
    await restorable.exportAll({ ...restorable.whole(), feeds: copied });
    await restorable.restore();
    expect((await read(restorable.platform)).types).toEqual([]);
    expect((await read(restorable.platform, 4)).types).toEqual([]);
    await expect(read(restorable.platform, 2)).rejects.toThrow("cursor_expired");
  });

  it("begins if the export is from a release without a feed", async () => {
    const restorable = await aRestorable();
    await captured(restorable);
    await restorable.exportAll();
    const file = join(restorable.folder, "manifest.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as { readonly tables: Record<string, unknown> };
    delete manifest.tables["feeds"];
    await writeFile(file, JSON.stringify(manifest));
    await rm(join(restorable.folder, "Feeds.jsonl"));
    const into = newTables();
    await restorable.importInto(into);
    expect((await allOf(into.feeds.rowsAfter())).map(({ rowKey }) => rowKey)).toEqual(["feed"]);
  });

  it("is refused if the manifest has a missing file", async () => {
    const restorable = await aRestorable();
    await captured(restorable);
    await restorable.exportAll();
    await rm(join(restorable.folder, "Feeds.jsonl"));
    await expect(restorable.importInto(newTables())).rejects.toThrow(/feeds: the manifest has 5 rows, and the file 0/);
  });

  it("is complete with its marks if it has more events than memory holds at a time, even after an interrupted import", async () => {
    const restorable = await aRestorable();
    const payment = await captured(restorable);
    const subject = paymentSubjectOf(await payment.now());
    const EVENTS = 2_300;
    const { feeds } = restorable.whole();
    const [body, enteredAt] = [JSON.stringify({ sequence: 2, type: "payment.inProgress" }), "2026-11-21T10:00:00.000Z"];
    for (let number = 3; number <= EVENTS; number++)
      await feeds.submit(feedPartition(partnerId), [
        {
          kind: "insert",
          rowKey: feedEventRow(number),
          columns: toColumns({ number, body, subject, commandId: `c${Math.floor(number / 3)}`, enteredAt }),
        },
      ]);
    await restorable.exportAll();
    const into = newTables();
    let writesLeft = 15; // within the feed, because a group has a hundred rows
    const ending = {
      ...into,
      feeds: {
        ...into.feeds,
        async submit(...given: Parameters<typeof into.feeds.submit>) {
          if (writesLeft-- <= 0) throw new Unavailable("the tables do not respond");
          return into.feeds.submit(...given);
        },
      },
    };
    await expect(restorable.importInto(ending)).rejects.toThrow(Unavailable);
    expect((await allOf(into.feeds.rowsAfter())).length).toBeGreaterThan(1_000);
    writesLeft = Infinity;
    await restorable.importInto(ending);
    const rows = await allOf(into.feeds.rowsAfter());
    expect(rows.map(({ rowKey }) => rowKey)).toEqual([
      ...Array.from({ length: EVENTS }, (_, i) => feedEventRow(i + 1)),
      "feed",
      ...Array.from({ length: 2 + Math.floor(EVENTS / 3) }, () => expect.stringMatching(/^mark~/) as string),
    ]);
  });
});
