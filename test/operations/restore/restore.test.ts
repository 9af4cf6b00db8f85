import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { paymentRow, terminalPartition } from "../../../shared/stores/keys.ts";
import { azureTables } from "../../../shared/adapters/tables/azure-tables.ts";
import { startStack } from "../../../packages/workbench/stack/stack.ts";
import { cardsIn, differences } from "../../chaos/cards.ts";
import { readSessions } from "../../chaos/sessions.ts";
import { operatorOf } from "../../support/admin.ts";
import { LONG, waitFor } from "../../support/wait-for.ts";
import { playFailover } from "./failover.ts";
import { failoverLives, lives } from "./lives.ts";
import { pay, readEvents, request, startLoad, tillsOf, type Body, type Till } from "./tills.ts";

/** States that no other follows. A payment that reaches the wrong one of them ends the wait, too. */
const over = ["captured", "voided", "cancelled", "declined", "expired", "failed"];

it("Everything is lost, and later the region: the export is restored, and no card is charged, captured or refunded twice", async () => {
  await using ends = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "restore-"));
  ends.defer(() => rm(directory, { recursive: true, force: true }));
  const stack = ends.adopt(
    await startStack({ ports: "free", directory, settings: { ANSWER_SECONDS: "1", OUTCOME_SECONDS: "8" } }),
    (one) => one.stop(),
  );
  const { admin, shown } = operatorOf(stack.file);
  const partners = await Promise.all(
    Array.from({ length: Math.ceil((lives.length + 1) / 2) }, () => stack.addPartner({ withoutAutopilot: true })),
  );
  const tills = (await Promise.all(partners.map((partner) => tillsOf(stack, partner)))).flat();
  for (const { terminal } of tills) ends.defer(() => terminal.stop());
  const played = lives.map((life, i) => ({ life, till: tills[i] as Till, body: request(tills[i] as Till, life.body) }));
  const busy = tills[lives.length] as Till;

  await Promise.all(
    played.map(async ({ life, till, body }) => {
      till.terminal.hold(...life.holds);
      await pay(till, body);
      await life.before(till, body);
    }),
  );
  const load = startLoad(busy);
  const paid = (more: number) =>
    waitFor("payments of the load", async () => load.bodies.length, { ...LONG, until: (count) => count > more });
  await paid(1);
  await Promise.all(played.map(async ({ life, till, body }) => life.last?.(till, body)));
  const folder = join(directory, "export");
  await shown("export", folder);
  for (const { till } of played) till.terminal.letGo();
  await Promise.all(played.map(({ life, till, body }) => life.lost(till, body)));
  const exported = load.bodies.length;
  const readBefore = await readEvents(busy);
  await paid(exported);
  await load.end();
  const readInLostTime = await readEvents(busy, readBefore.next);
  expect(readInLostTime.events.length).toBeGreaterThan(0);

  await stack.killFunctions();
  await Promise.all([stack.purgeServiceBus(), stack.loseTables()]);
  const met = new Map(tills.map(({ terminal }) => [terminal, terminal.got.length]));
  await shown("setup");
  await shown("import", folder, "--yes");
  await shown("repair", "--all", "--tables-are-current", "--yes");
  await stack.startFunctions();

  const restored = new Set((await readSessions(stack.file)).map(({ payment }) => payment.sessionId));
  const lostBodies = load.bodies.filter(({ sessionID }) => !restored.has(sessionID));
  expect(lostBodies.length).toBeGreaterThan(0);
  await Promise.all([
    ...played.map(async ({ life, till, body }) => {
      await life.again?.(till, body);
      await till.partner.until(body.sessionID, life.ends, ...over);
    }),
    (async () => {
      for (const body of load.bodies) {
        if (lostBodies.includes(body)) await pay(busy, body);
        await busy.partner.until(body.sessionID, "captured");
      }
    })(),
  ]);

  const readPayments = async () =>
    new Map((await readSessions(stack.file)).map(({ payment }) => [payment.sessionId, payment]));
  let sessions = await readPayments();
  const outcome = (till: Till, { sessionID }: Body) => {
    const cards = cardsIn(sessionID, till.terminal.actions);
    const payment = sessions.get(sessionID);
    if (!payment) throw new Error(`${sessionID} is lost`);
    const kept = cards.map(({ taken, givenBack, refunds }) =>
      givenBack ? 0 : taken - [...refunds.values()].reduce((sum, amount) => sum + amount, 0),
    );
    return { kept, status: payment.status, differences: differences(payment, cards) };
  };
  const first = ({ terminal }: Till, { sessionID }: Body) =>
    terminal.got.slice(met.get(terminal)).find((message) => message.sessionID === sessionID)?.type;
  expect(played.map(({ life, till, body }) => [life.name, outcome(till, body)])).toEqual(
    lives.map(({ name, ends: status, kept }) => [name, { kept: [kept], status, differences: [] }]),
  );
  expect(load.bodies.map((body) => outcome(busy, body))).toEqual(
    load.bodies.map(() => ({ kept: [10_000], status: "captured", differences: [] })),
  );
  const asked = played.filter(({ life }) => life.name !== "captured, refunded since");
  expect(asked.map(({ till, body }) => first(till, body))).toEqual(asked.map(() => "statusQuery"));
  expect(await shown("alert", "list")).toEqual([]);

  // Readers continue from their cursors, even from one in the lost part, and get the events after the restore.
  const paidAgain = lostBodies.map(({ sessionID }) => sessionID).toSorted();
  const capturedAfter = async (cursor: string | undefined) =>
    (await readEvents(busy, cursor)).events
      .flatMap(({ type, data }) => (type === "payment.captured" ? [data.sessionID ?? ""] : []))
      .toSorted();
  await expect.poll(() => capturedAfter(readInLostTime.next)).toEqual(expect.arrayContaining(paidAgain));
  // The feed is exported last, so it may hold the event of a lost capture in addition to that of the later capture.
  const told = new Set(await capturedAfter(undefined));
  expect([...told]).toEqual(load.bodies.map(({ sessionID }) => sessionID).toSorted());
  expect(await capturedAfter(readBefore.next)).toEqual(expect.arrayContaining(paidAgain));
  for (const { till } of played) expect((await readEvents(till)).events.length).toBeGreaterThan(0);

  // Next, the region is lost. The other region's tables are some minutes old. They are exported, and imported into an empty account.
  const survived = await playFailover(stack, tills, directory);
  sessions = await readPayments();
  expect(survived.map(({ life, till, body }) => [life.name, outcome(till, body)])).toEqual(
    failoverLives.map(({ name, ends: status, kept }) => [name, { kept: [kept], status, differences: [] }]),
  );
  expect(await shown("alert", "list")).toEqual([]);

  // One row is damaged. The export is finished nevertheless, and says so by its exit code.
  const [payment] = sessions.values();
  if (!payment) throw new Error("nothing is restored");
  const { terminalId, sessionId } = payment;
  const columns = { data0: "{", v: newestVersion };
  await azureTables(stack.file.tables).terminals.submit(terminalPartition(terminalId), [
    { kind: "overwrite", rowKey: paymentRow(payment), columns },
  ]);
  expect(await admin("export", join(directory, "damaged"))).toMatchObject({
    code: 2,
    complaint: expect.stringContaining(
      `Terminals, partition ${terminalId}, row payment~${sessionId}~now: its record is not JSON.`,
    ),
  });
}, 180_000);
