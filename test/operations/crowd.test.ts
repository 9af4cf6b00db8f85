import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { partnerOn, type HttpAnswer } from "../support/partner.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

describe("two hundred payments for one terminal at once", () => {
  let directory: string;
  let stack: Stack;
  let server: Awaited<ReturnType<typeof startWebhookServer>>;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "crowd-"));
    stack = await startStack({ ports: "free", directory });
    server = await startWebhookServer(stack.file.demo.webhookSecret, undefined, LONG);
  }, 30_000);
  afterAll(async () => {
    await server?.close();
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it("charge one card; the others are refused at once, and the terminal is free afterwards", async () => {
    const { pay, request, silent, status, until } = partnerOn(stack.file, stack.file.demo, LONG);
    await silent.online();
    const bodies = Array.from({ length: 200 }, () => request({ responseWebhookUrl: server.url }));
    const answers = await Promise.all(bodies.map((body) => untilAnswered(() => pay(body))));

    const accepted = bodies.filter((_, i) => answers[i]?.status === 202).map((body) => body.sessionID);
    expect(accepted).toHaveLength(1);
    const [winner = ""] = accepted;
    for (const answer of answers.filter(({ status }) => status !== 202))
      expect(answer).toMatchObject({ status: 409, body: { code: "terminal_busy", sessionID: winner } });
    const message = await silent.next();
    expect(message).toMatchObject({ type: "payment", sessionID: winner });
    await silent.sendReport(message, "accepted");
    await server.until("payment.inProgress", winner);
    expect(server.received.map(({ event }) => event.type)).toEqual(["payment.inProgress"]);
    expect(await status(stack.file.demo.terminals.silent.pointOfServiceID)).toMatchObject({
      activeSessionID: winner,
    });
    await silent.sendReport(message, "authorized");
    await until(winner, "authorized");
    expect(await silent.client.next(0)).toBeUndefined();

    const next = request();
    expect(await pay(next)).toMatchObject({ status: 202 });
    await silent.approve(next.sessionID);
    await until(next.sessionID, "authorized");
  });

  /** Repeats a request after a 503, as a partner's server does. The session makes that safe. */
  const untilAnswered = async <Body>(ask: () => Promise<HttpAnswer<Body>>) =>
    waitFor("an answer other than 503", ask, { ...LONG, until: ({ status }) => status !== 503 });
});
