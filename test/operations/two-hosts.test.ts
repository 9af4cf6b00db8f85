import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startStack, type Stack } from "../../infra/stack/stack.ts";
import { LONGEST_WAIT_SECONDS } from "../../infra/terminal/simulated/terminal-client.ts";
import type { EventPageObject } from "../../shared/contracts/events/event-page.ts";
import { partnerOn } from "../support/partner.ts";

let directory: string;
let stack: Stack | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "two-hosts-"));
  stack = await startStack({ ports: "free", directory, hosts: 2 });
});
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Less than the ten seconds after which a poll reads again by itself. */
const UNTIL_IT_WOULD_LOOK = 9;
const TILLS = 8;

it("A terminal that waits at one host gets its message, whichever host stored it", async () => {
  const running = stack;
  if (!running) throw new Error("the stack did not start");
  const tills = await Promise.all(
    Array.from({ length: TILLS }, async () =>
      partnerOn(running.file, await running.addPartner({ withoutAutopilot: true })),
    ),
  );
  for (const { silent } of tills) await silent.online();
  // Requests and messages go to the hosts in turn. With one additional request after every second poll, each pair of hosts occurs in both
  // directions.
  const polls = [];
  for (const [i, { partner, silent, status }] of tills.entries()) {
    polls.push(silent.client.next(UNTIL_IT_WOULD_LOOK));
    if (i % 2 === 0) await status(partner.terminals.silent.pointOfServiceID);
  }
  const sessions = [];
  for (const till of tills) {
    const body = till.request();
    expect((await till.pay(body)).status).toBe(202);
    sessions.push(body.sessionID);
  }
  expect((await Promise.all(polls)).map((message) => message?.sessionID)).toEqual(sessions);
});

it("A draining host responds to the calls that wait at it, so that a rolling restart need not wait for them", async () => {
  const running = stack;
  if (!running) throw new Error("the stack did not start");
  const tills = await Promise.all(
    [0, 1].map(async () => partnerOn(running.file, await running.addPartner({ withoutAutopilot: true }))),
  );
  for (const { silent } of tills) await silent.online();
  const polls = tills.map(({ silent }) => silent.client.next(LONGEST_WAIT_SECONDS));
  const readers = tills.map(({ send }) => send<EventPageObject>("GET", "/events?wait=20"));
  for (const host of [0, 1]) await running.restartFunctions(host);
  expect(await Promise.all(polls)).toEqual([undefined, undefined]);
  for (const { status, body } of await Promise.all(readers))
    expect({ status, events: body.events }).toEqual({ status: 200, events: [] });
}, 50_000); // a poll that does not end occupies its host for 55 s
