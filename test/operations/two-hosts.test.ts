import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queueNames } from "../../infra/operator/common/dead-letter-queues.ts";
import { startStack, type Stack } from "../../infra/stack/stack.ts";
import { LONGEST_WAIT_SECONDS } from "../../infra/terminal/simulated/terminal-client.ts";
import type { EventPageObject } from "../../shared/contracts/events/event-page.ts";
import { logLinesIn } from "../support/log-lines.ts";
import { partnerOn } from "../support/partner.ts";
import { listenForWebhooks } from "../support/webhook-listener.ts";

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

it("A payment goes through when each queue's function has a host of its own, and no host carries out another's function", async () => {
  const running = stack;
  if (!running) throw new Error("the stack did not start");
  const { pay, onAutopilot, until } = partnerOn(running.file, await running.addPartner());
  const server = await listenForWebhooks((_, response) => response.writeHead(204).end());
  try {
    const body = onAutopilot({ captureMode: "automatic", responseWebhookUrl: server.url });
    await expect.poll(async () => (await pay(body)).status).toBe(202); // the terminal has come online
    await until(body.sessionID, "captured");
    const carriedOut = async () => {
      const logs = running.hostParts.map(async (part) => {
        const lines = logLinesIn(await readFile(join(directory, "logs", `${part}.log`), "utf8"));
        const of = lines
          .flatMap((line) => line.function ?? [])
          .filter((name) => queueNames.some((one) => one === name));
        return [part, [...new Set(of)]] as const;
      });
      return Object.fromEntries((await Promise.all(logs)).filter(([, of]) => of.length > 0));
    };
    await expect.poll(carriedOut).toEqual({
      "functions-terminal-messages": ["terminal-messages"],
      "functions-webhook-deliveries": ["webhook-deliveries"],
      "functions-bookings": ["bookings"],
    });
  } finally {
    await server.close();
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
