import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtApp } from "../../infra/tools/built-app.ts";
import { freePort } from "../../packages/local-azure/common/free-ports.ts";
import { startFunctionsHost } from "../../packages/workbench/stack/processes.ts";
import { startStack } from "../../packages/workbench/stack/stack.ts";
import example from "../../local.settings.example.json" with { type: "json" };
import { endpoints } from "../../functions/endpoints.ts";
import { workers } from "../../functions/workers.ts";
import { logLinesIn } from "../support/log-lines.ts";
import { partnerOn } from "../support/partner.ts";
import { LONG } from "../support/wait-for.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "wrong-settings-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const MASTER_KEY = "the-master-key";
const right: Readonly<Record<string, string>> = {
  ...example.Values,
  KEY_PEPPERS: '{"own":"0123456789abcdef0123456789abcdef"}',
  WEBHOOK_SECRET_KEYS: '{"own":"0123456789abcdef0123456789abcdef"}',
  CONSUMER_CREDENTIALS: "{}",
  WEBHOOKS_ALLOW_LOOPBACK: "false",
  TOKEN_CODE_KEYS: '{"own":"0123456789abcdef0123456789abcdef"}',
};

/** Runs the built app with only these settings, calls it, and ends it. */
async function appWith<T>(settings: Readonly<Record<string, string | undefined>>, ask: (url: string) => Promise<T>) {
  const [keysFile, logFile] = [join(directory, "keys.json"), join(directory, "functions.log")];
  await Promise.all([
    rm(logFile, { force: true }),
    writeFile(keysFile, `{"master":"${MASTER_KEY}","host":{},"functions":{}}`),
  ]);
  const child = await startFunctionsHost({
    port: await freePort(),
    keysFile,
    logFile,
    app: builtApp,
    settings: settings as Readonly<Record<string, string>>,
  });
  try {
    const answered = await ask(`http://127.0.0.1:${child.ready.port}`);
    return { answered, functions: (child.ready as { functions?: readonly string[] }).functions };
  } finally {
    await child.kill();
  }
}

const headers = { "x-functions-key": MASTER_KEY };

/** A setting of an identity without its address. It does no harm next to a connection string, and does not replace one. */
const half = { SERVICE_BUS_CONNECTION__clientId: "00000000-0000-4000-8000-000000000001" };

/** Options that make the Node process report another version. Double quotes have a meaning of their own there. */
const sayingNode = (node: string) =>
  `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${node}'}})`;

type Case = [
  wrong: string,
  name: string,
  value: string | undefined,
  reason: string,
  others?: Readonly<Record<string, string>>,
];

it.each<Case>([
  ["missing", "KEY_PEPPERS", undefined, "is missing"],
  ["missing beside half an identity", "SERVICE_BUS_CONNECTION", undefined, "is missing"],
  ["mistyped", "TABLES_CONNECTION", "AccountName=mistyped-secret", ""],
  ["only half there", "SERVICE_BUS_CONNECTION", "Endpoint=sb://half-a-secret.servicebus.windows.net", ""],
  ["of the wrong form", "TOKEN_CODE_KEYS", '{"a-secret-in-the-wrong-place-a-secret":"k1"}', ""],
  [
    "the demo's, beside tables that are elsewhere",
    "KEY_PEPPERS",
    '{"local":"demo-only-secret-of-this-npm-start"}',
    "holds a public key of the demo",
    { TABLES_CONNECTION: "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YQ==;EndpointSuffix=a.example" },
  ],
  [
    "a Node older than the bundle is for",
    "node",
    "22.18.0",
    "22.18.0 is older than 22.",
    { NODE_OPTIONS: sayingNode("22.18.0") },
  ],
])("a setting that is %s is a 503 of every operation, and is named", async (_, name, value, reason, others = {}) => {
  const { functions, answered } = await appWith({ ...right, ...half, ...others, [name]: value }, async (url) => {
    const operations = await Promise.all(
      endpoints.map(async ({ contract: { method, route } }) => {
        const response = await fetch(`${url}/${route}`, { method, headers });
        return [response.status, response.headers.get("retry-after"), await response.json()];
      }),
    );
    const asked = await Promise.all(["/health", "/health/detail"].map((path) => fetch(`${url}${path}`, { headers })));
    return { operations, health: await Promise.all(asked.map(async (one) => [one.status, await one.json()])) };
  });

  const problem = { code: "dependency_unavailable", retryable: true };
  expect(answered.operations).toEqual(endpoints.map(() => [503, "1", expect.objectContaining(problem)]));
  const check = { name: "settings", isOk: false, wrong: expect.stringContaining(`${name}: ${reason}`) };
  expect(answered.health).toMatchObject([
    [503, { status: "notStarted" }],
    [503, { status: "impaired", checks: [check] }],
  ]);
  expect(functions).not.toEqual(expect.arrayContaining([workers[0]?.name]));

  const log = await readFile(join(directory, "functions.log"), "utf8");
  const lines = logLinesIn(log).filter(({ event }) => event === "notStarted");
  expect(lines).toMatchObject([{ level: "error", setting: name, reason: value === undefined ? "missing" : "wrong" }]);
  expect(`${log}${JSON.stringify(answered)}`).not.toContain("secret");
});

it("messages wait undelivered while a host has a wrong setting, and are delivered with the right one", async () => {
  const settings: Record<string, string> = { ACCEPTANCE_SECONDS: "3" };
  const stack = await startStack({ ports: "free", directory: join(directory, "stack"), settings });
  const bus = new ServiceBusClient(stack.file.serviceBus);
  const restartWith = async (sender: string) => {
    settings["MAIL_FROM"] = sender;
    await stack.killFunctions();
    await stack.startFunctions();
  };
  try {
    const partner = partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }), LONG);
    await partner.silent.online();
    const { body: payment } = await partner.pay(partner.request());
    await restartWith("no address");
    expect((await partner.refused("GET", `/pos-payment/${payment.sessionID}`)).status).toBe(503);

    const deliveriesOfDue = async () => {
      const deadlines = bus.createReceiver("deadlines"); // another receiver would continue after the messages that this one has seen
      const messages = await deadlines.peekMessages(10);
      await deadlines.close();
      const due = messages.filter(({ scheduledEnqueueTimeUtc: at }) => at !== undefined && at.getTime() < Date.now());
      return due.map(({ deliveryCount }) => deliveryCount);
    };
    await expect.poll(deliveriesOfDue).toEqual([0]);

    await restartWith("Shop <shop@shop.example>");
    await partner.until(payment.sessionID, "expired");
  } finally {
    await bus.close();
    await stack.stop();
  }
});
