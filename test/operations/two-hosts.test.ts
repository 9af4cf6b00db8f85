import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queueNames } from "../../infra/operator/common/dead-letter-queues.ts";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { LONGEST_WAIT_SECONDS } from "../../packages/terminal/simulated/terminal-client.ts";
import type { EventPageObject } from "../../shared/contracts/events/event-page.ts";
import { logLinesIn } from "../support/log-lines.ts";
import { startWebhookServer } from "../support/webhook-server.ts";
import { partnerOn } from "../support/partner.ts";

let directory: string;
let stack: Stack | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "two-hosts-"));
  stack = await startStack({ ports: "free", directory, hosts: 2, scaleGroups: true });
});
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Less than the ten seconds after which a poll reads again by itself. */
const UNTIL_IT_WOULD_LOOK = 9;
const TILLS = 8;

it("A terminal gets its message although another host stored it, whichever host it waits at", async () => {
  const running = stack;
  if (!running) throw new Error("the stack did not start");
  const tills = await Promise.all(
    Array.from({ length: TILLS }, async () =>
      partnerOn(running.file, await running.addPartner({ withoutAutopilot: true })),
    ),
  );
  for (const { silent } of tills) await silent.online();
  const polls = tills.map(({ silent }) => silent.client.next(UNTIL_IT_WOULD_LOOK)); // requests go to the hosts in turn
  const sessions = [];
  for (const till of tills) {
    const body = till.request();
    expect((await till.pay(body)).status).toBe(202);
    sessions.push(body.sessionID);
  }
  expect((await Promise.all(polls)).map((message) => message?.sessionID)).toEqual(sessions);
});

it("Twenty requests under one Idempotency-Key, each with a session of its own, make one payment", async () => {
  const running = stack;
  if (!running) throw new Error("the stack did not start");
  const { silent, request, pay } = partnerOn(running.file, await running.addPartner({ withoutAutopilot: true }));
  await silent.online();
  const bodies = Array.from({ length: 20 }, () => request());
  const under = { "Idempotency-Key": "one sale" };
  const first = await Promise.all(bodies.map((body) => pay(body, under))); // requests go to the hosts in turn
  const repeated: Awaited<ReturnType<typeof pay>>[] = [];
  for (const body of bodies) repeated.push(await pay(body, under));
  const accepted = bodies.filter((_, i) => repeated[i]?.status === 202).map(({ sessionID }) => sessionID);
  expect(accepted).toHaveLength(1);
  expect(first.filter(({ status }) => status === 202).length).toBeLessThanOrEqual(1);
  for (const { status, body } of repeated)
    if (status !== 202) expect(body).toMatchObject({ code: "idempotency_mismatch", sessionID: accepted[0] });
});

it("A payment goes through when each queue's function has a host of its own, and no host carries out another's function", async () => {
  const running = stack;
  if (!running) throw new Error("the stack did not start");
  const added = await running.addPartner();
  const { pay, onAutopilot } = partnerOn(running.file, added);
  const webhooks = await startWebhookServer(added.webhookSecret);
  try {
    const body = onAutopilot({ captureMode: "automatic", responseWebhookUrl: webhooks.url });
    await expect.poll(async () => (await pay(body)).status).toBe(202); // the terminal has come online
    await webhooks.until("payment.captured", body.sessionID);
    // Each attempt of a webhook has its line. A run of another queue has one only if it is late.
    const carriedOut = running.hostParts.map(async (part) => {
      const lines = logLinesIn(await readFile(join(directory, "logs", `${part}.log`), "utf8"));
      const names = lines.flatMap((line) => queueNames.filter((one) => one === line.function));
      return names.map((name) => [part, name] as const);
    });
    const pairs = (await Promise.all(carriedOut)).flat();
    expect(pairs).toContainEqual(["functions-webhook-deliveries", "webhook-deliveries"]);
    for (const [part, name] of pairs) expect(part).toBe(`functions-${name}`);
  } finally {
    await webhooks.close();
  }
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
