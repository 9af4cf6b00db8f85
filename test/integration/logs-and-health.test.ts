import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { DemoPartner } from "../../infra/operator/common/seed.ts";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { paymentRow, terminalPartition } from "../../shared/stores/keys.ts";
import type { LoggedLine } from "../support/collected-log.ts";
import { logLinesIn } from "../support/log-lines.ts";
import { partnerOn } from "../support/partner.ts";
import { searchLogs } from "../support/secret-search.ts";
import { secretsOf } from "../support/secrets-of-stack.ts";
import { rowsOf, spoil } from "../support/table-access.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

let directory: string;
let started: Stack | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "logs-"));
  started = await startStack({ ports: "free", directory });
});
afterEach(() => started?.faults.clear());
afterAll(async () => {
  const secrets = started && (await secretsOf(started, added));
  await started?.stop();
  try {
    if (secrets) await searchLogs(join(directory, "logs"), secrets);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

function running(): Stack {
  if (!started) throw new Error("the stack did not start");
  return started;
}

/** The lines with these members that the app has written by now. */
const lines = async (about: Partial<LoggedLine>): Promise<LoggedLine[]> =>
  logLinesIn(await readFile(join(directory, "logs", "functions.log"), "utf8")).filter((line) =>
    Object.entries(about).every(([member, value]) => line[member as keyof LoggedLine] === value),
  );

const added: DemoPartner[] = [];

/** A partner whose terminal is online, free and played by the test. */
async function aPartner() {
  const own = await running().addPartner({ withoutAutopilot: true });
  added.push(own);
  const partner = partnerOn(running().file, own);
  await partner.silent.online();
  return partner;
}

describe("the log", () => {
  it("shows a whole payment in order, from the request to the webhooks", async () => {
    const partner = await aPartner();
    const { partnerID, webhookSecret, terminals } = partner.partner;
    const server = await startWebhookServer(webhookSecret);
    try {
      const body = partner.request({ responseWebhookUrl: server.url });
      const { sessionID: session } = body;
      const { status, headers } = await partner.pay(body);
      expect(status).toBe(202);
      await partner.silent.approve(session);
      await server.until("payment.authorized", session);
      // On a busy machine a call may time out. The response is then 503, and the caller sends the request again.
      const told = async () =>
        (await lines({ session }))
          .filter(({ status }) => status !== 503)
          .map(({ event, function: of, effect }) => [event, of, effect].filter(Boolean).join(" "));
      const steps = [
        "request pos-payment-request",
        "request next-message",
        "request report",
        "webhookAttempt webhook-deliveries webhook~payment.inProgress",
        "webhookAttempt webhook-deliveries webhook~payment.authorized",
      ];
      await expect.poll(told).toEqual(expect.arrayContaining(steps));
      // Workers run in parallel with the requests, so only the order of the requests is certain.
      const requests = (await told()).filter((step) => step.startsWith("request "));
      expect(requests.map((step) => step.slice("request ".length))).toEqual([
        "pos-payment-request",
        "next-message",
        "report",
        "report",
      ]);

      const requestID = headers.get("x-request-id") ?? "";
      expect(await lines({ event: "request", requestID })).toMatchObject([
        { status: 202, partner: partnerID, terminal: terminals.silent.pointOfServiceID, session },
      ]);
    } finally {
      await server.close();
    }
  });

  it("has no line for a poll that returns no message", async () => {
    const { terminalsUrl } = running().file;
    const { terminalKey, pointOfServiceID: terminal } = (await aPartner()).partner.terminals.silent;
    const poll = async (key: string) =>
      (await fetch(`${terminalsUrl}/next-message`, { headers: { "x-terminal-key": key } })).status;
    expect(await poll(terminalKey)).toBe(204);
    expect(await poll(`${terminalKey}x`)).toBe(401); // a later request, which has this member
    await expect.poll(() => lines({ function: "next-message", status: 401 })).toHaveLength(1);
    expect(await lines({ terminal })).toEqual([]);
  });

  it("names the place in the source for the identifier of a 500", async () => {
    const partner = await aPartner();
    const body = partner.request();
    expect((await partner.pay(body)).status).toBe(202);
    const { sessionID: sessionId, pointOfServiceID } = body;
    const partition = terminalPartition(pointOfServiceID);
    const mend = await spoil(rowsOf(running().file, "terminals"), partition, paymentRow({ sessionId }));
    const answer = await partner.refused("GET", `/pos-payment/${sessionId}`);
    await mend();
    expect(answer.status).toBe(500);
    const { requestID } = answer.body;
    const failed = { event: "requestFailed", error: "ZodError", function: "pos-payment" };
    await expect.poll(() => lines({ requestID })).toMatchObject([failed, { event: "request", status: 500 }]);
    const [{ stack = [] } = {}] = await lines({ requestID, event: "requestFailed" });
    expect(stack).toContainEqual(expect.stringMatching(/^shared\/stores\/record\.ts:\d+:\d+$/));
  });

  it("shows a webhook that fails, and then is given up", async () => {
    const statuses = [500, 410];
    const partner = await aPartner();
    const server = await startWebhookServer(partner.partner.webhookSecret, () => statuses.shift() ?? 204);
    try {
      const body = partner.request({ responseWebhookUrl: server.url });
      const { sessionID: session } = body;
      expect((await partner.pay(body)).status).toBe(202);
      await partner.silent.begin(session);
      const told = async () =>
        (await lines({ session }))
          .filter(({ event }) => event.startsWith("webhook"))
          .map(({ event, attempt, outcome, status }) => [event, attempt, outcome, status]);
      await expect.poll(told).toEqual([
        ["webhookAttempt", 1, "status", 500],
        ["webhookAttempt", 2, "gone", 410],
        ["webhookGivenUp", 2, "gone", 410],
      ]);
    } finally {
      await server.close();
    }
  });
});

describe("health", () => {
  const detail = async (key: string) =>
    fetch(`${running().file.functionsUrl}/health/detail`, { headers: { "x-functions-key": key } });

  it("is good for a process while the tables are silent, and its detail names them within three seconds", async () => {
    const { file, faults } = running();
    const gatewayUrl = `${file.baseUrl}/`;
    await expect.poll(async () => (await detail(file.healthKey)).status).toBe(200);
    await faults.set({ tables: "all" }, { kind: "silent", seconds: 600 });
    for (const url of [`${file.functionsUrl}/health`, `${gatewayUrl}probes/health`]) {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: "alive" });
    }
    const response = await detail(file.healthKey);
    expect(response.status).toBe(503);
    const { checks } = (await response.json()) as {
      checks: { name: string; isOk: boolean; ms: number; wrong?: string }[];
    };
    expect(checks).toMatchObject([
      { name: "tables", isOk: false, wrong: "Unavailable: no response within 2000 ms" },
      { name: "bus", isOk: true },
      { name: "settings", isOk: true },
    ]);
    expect(checks[0]?.ms).toBeLessThan(3_000);
  });

  it("shows its detail only to its own key, and not through the gateway", async () => {
    const { file } = running();
    expect((await detail(file.demo.functionsKeys.partners)).status).toBe(401);
    const gatewayUrl = `${file.baseUrl}/`;
    const headers = { "x-functions-key": file.healthKey };
    expect((await fetch(`${gatewayUrl}probes/health/detail`, { headers })).status).toBe(404);
  });
});
