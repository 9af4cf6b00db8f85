import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endpoints } from "../../functions/endpoints.ts";
import type { HostKeys } from "../../packages/local-azure/functions-host/host.ts";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { terminalClient, type TerminalMessage } from "../../packages/terminal/simulated/terminal-client.ts";
import { hashPassword, newPassword } from "../../shared/edge/auth/basic-credentials.ts";
import { operatorOf } from "../support/admin.ts";
import { ask, load, settled } from "../support/load.ts";
import { logLinesIn } from "../support/log-lines.ts";
import { partnerOn } from "../support/partner.ts";
import { startReceiver, verifies } from "../support/signed-receiver.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { webShopOn } from "../support/web-shop.ts";

let directory: string;
let stack: Stack | undefined;
/** The settings of a host from its next start on. */
const settings: Record<string, string> = {};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "rotations-"));
  // Hosts stop as in Azure, but have five seconds for it instead of 30. No call of this test takes as long.
  stack = await startStack({ ports: "free", directory, hosts: 2, settings, paceMs: 20, azureStopSeconds: 5 });
});
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

const named = ({ sessionID, messageID }: TerminalMessage) => ({ sessionID, messageID });

/** A line of `pepper status`. */
interface Counted {
  readonly pepper: string;
  readonly keys: number;
  readonly terminals: number;
}

it(
  "Every secret is replaced while requests, reports, polls, webhooks and vouchers continue, and none is refused",
  {
    timeout: 600_000,
  },
  async () => {
    const running = stack;
    if (!running) throw new Error("the stack did not start");
    const { file } = running;
    const { shown } = operatorOf(file);
    const till = partnerOn(file, file.demo);
    const shop = webShopOn(file, LONG);
    const receiver = await startReceiver();
    const silentID = file.demo.terminals.silent.pointOfServiceID;
    const voucher = () => waitFor("a voucher in the mail", () => shop.token().catch(() => undefined), LONG);
    const before = await voucher();

    /** Restarts one host after the other with the present settings. */
    const roll = async (set: Record<string, object>, keys?: (known: HostKeys) => HostKeys) => {
      for (const [name, value] of Object.entries(set)) settings[name] = JSON.stringify(value);
      const known = JSON.parse(await readFile(running.hostKeysFile, "utf8")) as HostKeys;
      if (keys) await writeFile(running.hostKeysFile, JSON.stringify(keys(known)));
      for (const host of [0, 1]) await running.restartFunctions(host);
    };

    const traffic = load();
    const sale = () => till.onAutopilot({ captureMode: "automatic", responseWebhookUrl: receiver.url });
    let [session, isTaken] = [sale(), false];
    traffic.repeat("payment", async () => {
      const url = `${file.baseUrl}/pos-payment`;
      const read = isTaken ? await ask(`${url}/${session.sessionID}`, { headers: till.headers }) : undefined;
      if (read && (read.status !== 200 || /"status":"(pending|inProgress)"/.test(read.body))) return read;
      if (isTaken) session = sale();
      const paid = await ask(`${url}-request`, {
        method: "POST",
        headers: till.headers,
        body: JSON.stringify(session),
      });
      isTaken = paid.status === 202; // a deferred request is repeated unchanged
      return paid;
    });
    const made = async (member: string, ...words: string[]) => String((await shown(...words))[member]);
    const terminal = { "x-terminal-key": file.demo.terminals.silent.terminalKey, "content-type": "application/json" };
    const poll = (headers: Record<string, string>) => ask(`${file.terminalsUrl}/next-message?wait=1`, { headers });
    traffic.repeat("poll", () => poll(terminal));
    traffic.repeat("poll of the counter", () =>
      poll({ "x-terminal-key": file.demo.terminals.counter?.terminalKey ?? "" }),
    );
    traffic.repeat("report", () => {
      const report = { reportID: randomUUID(), type: "started", memory: "kept" };
      return ask(`${file.terminalsUrl}/report`, { method: "POST", headers: terminal, body: JSON.stringify(report) });
    });
    traffic.repeat("voucher", () => {
      const url = `${file.baseUrl}/landing-page-request`;
      return ask(url, { method: "POST", headers: shop.headers, body: JSON.stringify(shop.request()) });
    });

    const [, oldKeyID = ""] = file.demo.apikey.split("_");
    const fresh = randomBytes(32).toString("base64url");
    const password = newPassword();
    const [user = "", oldPassword = ""] = Buffer.from(file.demo.consumer.basic, "base64").toString().split(":");
    const consumers = { [user]: hashPassword(user, oldPassword), next: hashPassword("next", password) };
    const consumerKey = randomBytes(24).toString("base64url");
    const newKeys = {
      partners: randomBytes(24).toString("base64url"),
      terminals: randomBytes(24).toString("base64url"),
    };
    const newKeyOf = { consumer: consumerKey, ...newKeys };
    /** The hosts' keys, with the keys of each function of the three APIs changed. */
    const withKeys = (known: HostKeys, change: (keys: Record<string, string>, newKey: string) => void): HostKeys => {
      const functions = structuredClone(known.functions) as Record<string, Record<string, string>>;
      for (const { contract } of endpoints) change((functions[contract.name] ??= {}), newKeyOf[contract.api]);
      return { ...known, functions };
    };

    // 1. The new keys are added after the old ones.
    await roll(
      {
        KEY_PEPPERS: { ...file.peppers, fresh },
        TOKEN_CODE_KEYS: { ...file.codeKeys, fresh },
        WEBHOOK_SECRET_KEYS: { ...file.webhookSecretKeys, fresh },
        CONSUMER_CREDENTIALS: consumers,
      },
      (known) => withKeys(known, (keys, newKey) => void (keys["next"] = newKey)),
    );
    // 2. New values use the new keys. Callers switch to them, including the gateway.
    await running.setFunctionsKeys(newKeys);
    const { templateAccessTokenID, keyTemplateAccessTokenID = "" } = file.demo.consumer;
    for (const template of [templateAccessTokenID, keyTemplateAccessTokenID])
      await shown("template", "access", template, "--users", `${user},next`);
    const [newSecret, newApikey, newTerminalKey] = await Promise.all([
      made("webhookSecret", "webhook-secret", "rotate", "--partner", file.demo.partnerID),
      made("apikey", "key", "rotate", oldKeyID),
      made("terminalKey", "terminal", "rekey", silentID),
    ]);
    const peppers = { fresh, ...file.peppers };
    const webhookSecretKeys = { fresh, ...file.webhookSecretKeys };
    await roll({
      KEY_PEPPERS: peppers,
      TOKEN_CODE_KEYS: { fresh, ...file.codeKeys },
      WEBHOOK_SECRET_KEYS: webhookSecretKeys,
    });
    till.headers["apikey"] = newApikey;
    terminal["x-terminal-key"] = newTerminalKey;
    Object.assign(shop.headers, {
      Authorization: `Basic ${Buffer.from(`next:${password}`).toString("base64")}`,
      "x-functions-key": consumerKey,
    });
    const after = await voucher();
    await shown("key", "revoke", oldKeyID, "--yes");
    await shown("webhook-secret", "finish", "--partner", file.demo.partnerID, "--yes");
    const resealing = operatorOf({ ...file, webhookSecretKeys });
    expect(await resealing.shown("webhook-key", "reseal")).toEqual({ resealed: 1 });
    expect(await resealing.shown("webhook-key", "status")).toMatchObject([
      { webhookKey: "fresh", secrets: 1 },
      { webhookKey: "local", secrets: 0 },
    ]);
    // Each key is hashed again at its next use. The terminal's old key is the exception, because it is not used any more.
    await waitFor(
      "keys that are hashed by the new pepper",
      () => operatorOf({ ...file, peppers }).shown<Counted[]>("pepper", "status"),
      { ...LONG, until: ([, old]) => old?.keys === 0 && old.terminals === 1 },
    );

    // 3. The old keys are removed. The old code key stays for the codes that it made.
    const consumer = { next: consumers["next"] ?? "" };
    await roll({ KEY_PEPPERS: { fresh }, WEBHOOK_SECRET_KEYS: { fresh }, CONSUMER_CREDENTIALS: consumer }, (known) =>
      withKeys(known, (keys) => {
        delete keys["consumer"];
        delete keys["gateway"];
      }),
    );
    const isNew = (event: (typeof receiver.received)[number]) => !verifies(event, file.demo.webhookSecret);
    await waitFor("a webhook that only the new secret signs", async () => receiver.received.find(isNew), LONG);
    await traffic.stop();

    expect(traffic.refused).toEqual([]);
    const logs = await Promise.all(
      ["functions", "functions-2"].map((host) => readFile(join(directory, "logs", `${host}.log`), "utf8")),
    );
    const ownRefusals = new Set(
      logs.flatMap(logLinesIn).flatMap(({ status, requestID }) => (status === 503 ? [requestID] : [])),
    );
    expect(traffic.putOff.filter((requestID) => !ownRefusals.has(requestID))).toEqual([]);
    for (const name of ["payment", "poll", "poll of the counter", "voucher", "report"])
      expect(traffic.made[name]).toBeGreaterThan(10); // a poll takes a second
    expect(receiver.received.length).toBeGreaterThan(5);
    expect(receiver.received.filter((event) => !verifies(event, file.demo.webhookSecret, newSecret))).toEqual([]);
    await receiver.close();

    // Codes of both keys are accepted at the till. The old credentials are refused.
    const silent = terminalClient({ terminalsUrl: file.terminalsUrl, terminalKey: newTerminalKey });
    for (const { code } of [before, after]) {
      const request = till.request();
      const { sessionID } = request;
      expect((await settled(() => till.pay(request))).status).toBe(202);
      const playing = async (type: (message: TerminalMessage) => string) => {
        const message = await silent.next(1).catch(() => undefined);
        if (message)
          await silent.report({ reportID: randomUUID(), type: type(message), ...named(message) }).catch(() => 0);
        return till.read(sessionID);
      };
      const until = (state: string) => ({ ...LONG, until: ({ status }: { status: string }) => status === state });
      await waitFor("the payment at its terminal", () => playing(() => "accepted"), until("inProgress"));
      expect((await settled(() => till.discount({ sessionID, voucherCode: code }))).status).toBe(202);
      expect((await settled(() => till.cancel({ sessionID, pointOfServiceID: silentID }))).status).toBe(202);
      const obey = ({ type }: TerminalMessage) => (type === "cancel" ? "cancelled" : "acknowledged");
      await waitFor("the end of the payment", () => playing(obey), until("cancelled"));
    }
    const refusedWith = async (headers: Record<string, string>) =>
      (await settled(() => shop.post(shop.request(), headers))).status;
    expect(await refusedWith({ Authorization: `Basic ${file.demo.consumer.basic}` })).toBe(401);
    const oldKey = file.demo.consumer.functionKeys["landing-page-request"];
    const answer = await fetch(`${file.baseUrl}/landing-page-request`, {
      method: "POST",
      headers: { ...shop.headers, "x-functions-key": oldKey },
      body: "{}",
    });
    expect(answer.status).toBe(401);
    // A gateway that still has the old keys is refused, too.
    await running.setFunctionsKeys(file.demo.functionsKeys);
    const read = `${file.baseUrl}/pos-payment/${session.sessionID}`;
    for (const [url, headers] of [
      [read, till.headers],
      [`${file.terminalsUrl}/next-message?wait=0`, terminal],
    ] as const)
      expect(await ask(url, { headers })).toMatchObject({ status: 503, code: "dependency_unavailable" });
  },
);
