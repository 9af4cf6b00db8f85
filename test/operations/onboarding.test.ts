import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findCloud } from "../../infra/operator/admin/find-cloud.ts";
import type { DemoPartner } from "../../infra/operator/common/seed.ts";
import { startStack, type Stack } from "../../packages/workbench/stack/stack.ts";
import { startAutopilot } from "../../packages/terminal/simulated/autopilot.ts";
import { terminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import { scopes } from "../../shared/stores/partners.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { tablePorts } from "../../shared/stores/stores.ts";
import { operatorOf } from "../support/admin.ts";
import { partnerOn } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

/** A cloud without tables and partners. Everything in it is made by the operator's commands. */
let stack: Stack;
let directory: string;
let operator: ReturnType<typeof operatorOf>;
let made: DemoPartner;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "an-empty-cloud-"));
  stack = await startStack({ ports: "free", directory, isEmpty: true });
  operator = operatorOf(stack.file);
});
afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

const all = ["--scopes", scopes.join(",")];
/** The values that a command prints once, by name. */
type Made = Readonly<Record<string, string>>;

it("leads from an empty cloud to the first payment, with only the operator's commands", async () => {
  const { admin, shown } = operator;
  const first = await admin("setup");
  expect(first).toMatchObject({
    code: 0,
    complaint: expect.stringMatching(/^On the tables of http:\/\/127\.0\.0\.1/) as string,
  });
  for (const table of Object.values(tableNames))
    expect(first.out).toMatch(new RegExp(`^table +${table} +created$`, "m"));
  expect(first.out).toMatch(/^queue +terminal-messages +was there$/m);
  expect(await findCloud({}, { stack: join(directory, "stack.json") })).toMatchObject({
    isLocal: true,
    peppers: stack.file.peppers,
  });
  const again = await shown<{ status: string }[]>("setup");
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set(["was there"]));

  const { partnerID = "", webhookSecret = "" } = await shown<Made>("partner", "create", "--name", "Kassabolaget");
  const { apikey = "" } = await shown<Made>("key", "create", "--partner", partnerID, ...all);
  const merchantID = randomUUID();
  const till = ["--partner", partnerID, "--merchant", merchantID, "--name", "Till 3"];
  const { terminalKey = "", pointOfServiceID = "" } = await shown<Made>("terminal", "register", ...till);
  const limits = ["--everywhere", "--users", "shop", "--a-day", "100", "--in-all", "5000"];
  const voucher = ["--name", "Summer", "--kind", "voucher", "--percent", "10"];
  expect(await shown("template", "create", ...voucher, ...limits)).toMatchObject({ kind: "voucher" });
  const terminal = { pointOfServiceID, terminalKey };
  made = { partnerID, apikey, webhookSecret, merchantID, terminals: { autopilot: terminal, silent: terminal } };

  const partner = partnerOn(stack.file, made);
  const autopilot = startAutopilot(terminalClient({ ...stack.file, terminalKey }), { paceMs: 20 });
  const webhooks = await startWebhookServer(webhookSecret);
  try {
    const setUrl = ["webhook", "set-url", "--partner", partnerID, "--url", webhooks.url];
    expect(await shown(...setUrl)).toEqual({ partnerID, webhookUrl: webhooks.url });
    const { host } = new URL(webhooks.url);
    const added = await shown("webhook-host", "add", "--partner", partnerID, "--url", webhooks.url);
    expect(added).toMatchObject({ hosts: [{ host, provenAt: expect.any(String) }] });
    await expect.poll(async () => (await partner.status(pointOfServiceID)).statusCode).toBe("available");
    const elsewhere = partner.request({ responseWebhookUrl: "https://elsewhere.example.com/events" });
    await expect
      .poll(() => partner.pay(elsewhere))
      .toMatchObject({
        status: 422,
        body: { errors: [{ field: "responseWebhookUrl", code: "unsafe_url" }] },
      });
    const body = partner.request({ captureMode: "automatic" });
    await expect.poll(() => partner.pay(body)).toMatchObject({ status: 202 }); // as a partner repeats it after a 503
    await webhooks.until("payment.captured", body.sessionID);
    expect(await partner.read(body.sessionID)).toMatchObject({ status: "captured", amounts: { captured: 125.5 } });
    expect(webhooks.unverified).toEqual([]);
    const free = await shown("terminal", "show", pointOfServiceID);
    expect(free).toMatchObject({ name: "Till 3", status: "available", messages: [] });
    expect(free).not.toHaveProperty("payment");
  } finally {
    await autopilot.stop();
    await webhooks.close();
  }
});

it("shows a key once, and rotates and ends it", async () => {
  const { printed, shown } = operator;
  const { partnerID } = made;
  const create = ["key", "create", "--partner", partnerID, "--scopes", "terminals"];
  const { out, notes } = await printed(...create, "--terminals", made.terminals.silent.pointOfServiceID);
  expect(notes.join("\n")).toContain("The key is not shown again.");
  const apikey = /^apikey +(\S+)$/m.exec(out)?.[1] ?? "";
  const keyID = apikey.split("_")[1] ?? "";
  const statusWith = (apikey: string) =>
    partnerOn(stack.file, { ...made, apikey }).send(
      "GET",
      `/pointOfServices/${made.terminals.silent.pointOfServiceID}/pos-status`,
    );
  expect(await statusWith(apikey)).toMatchObject({ status: 200 });

  const rotated = await shown<Made>("key", "rotate", keyID, "--keep", "1d");
  expect(rotated).toMatchObject({ replaces: keyID, scopes: ["terminals"], status: "active" });
  expect(await statusWith(rotated["apikey"] ?? "")).toMatchObject({ status: 200 });
  const listed = () => shown<Made[]>("key", "list", "--partner", partnerID);
  expect(await listed()).toHaveLength(3);
  expect(JSON.stringify(await listed())).not.toContain(apikey.split("_")[2]);
  expect(await shown("key", "expire", keyID, "--at", "2099-01-01T00:00:00+01:00")).toMatchObject({
    expiresAt: "2098-12-31T23:00:00.000Z",
  });
  await expect(shown("key", "revoke", keyID)).rejects.toThrow("--yes");
  expect(await shown("key", "revoke", keyID, "--yes")).toMatchObject({ status: "revoked" });

  await expect(shown("key", "rotate", keyID)).rejects.toThrow("The key is revoked: create another with `key create`.");
  await expect(shown("key", "rotate", "unknown")).rejects.toThrow("There is no such key.");
  await expect(shown("key", "create", "--partner", randomUUID(), ...all)).rejects.toThrow("There is no such partner.");
  await expect(shown(...create, "--terminals", randomUUID())).rejects.toThrow("The partner has no terminal ");
});

it("disables a partner and enables it, and rotates its webhook secret", async () => {
  const { shown } = operator;
  const { partnerID = "" } = await shown<Made>(
    "partner",
    "create",
    "--name",
    "Other",
    "--webhook-url",
    "https://other.example/events",
  );
  const ofPartner = ["--partner", partnerID];
  const { apikey = "" } = await shown<Made>("key", "create", ...ofPartner, ...all);
  await expect(shown("partner", "disable", partnerID)).rejects.toThrow("use --yes.");
  expect(await shown("partner", "disable", partnerID, "--yes")).toMatchObject({ status: "disabled" });
  expect(await partnerOn(stack.file, { ...made, apikey }).pay({})).toMatchObject({ status: 401 });
  await expect(shown("key", "create", ...ofPartner, ...all)).rejects.toThrow("The partner is disabled");
  expect(await shown("key", "list", ...ofPartner)).toMatchObject([{ status: "disabled" }]);
  expect(await shown("partner", "enable", partnerID)).toMatchObject({ status: "active" });
  expect(await shown("key", "list", ...ofPartner)).toMatchObject([{ status: "active" }]);
  expect(await shown("partner", "list")).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ partnerID, name: "Other", status: "active" })]),
  );

  await expect(shown("webhook-secret", "finish", ...ofPartner, "--yes")).rejects.toThrow("no rotation is in progress");
  const { webhookSecret } = await shown<Made>("webhook-secret", "rotate", ...ofPartner);
  await expect(shown("webhook-secret", "rotate", ...ofPartner)).rejects.toThrow("A rotation is in progress");
  const status = await shown<{ secrets: unknown[] }>("webhook-secret", "status", ...ofPartner);
  expect(status.secrets).toHaveLength(2);
  expect(JSON.stringify(status)).not.toContain(webhookSecret);
  expect(await shown("webhook-secret", "finish", ...ofPartner, "--yes")).toMatchObject({
    secrets: [status.secrets[1]],
  });
  expect(await shown("partner", "show", partnerID)).toMatchObject({ webhookSecrets: 1, keys: 1, terminals: 0 });
});

it("gives a terminal another key and status, and retires it", async () => {
  const { shown } = operator;
  const id = randomUUID().toUpperCase();
  const till = ["--partner", made.partnerID, "--merchant", made.merchantID, "--name", "Till 4", "--id", id];
  const first = await shown<Made>("terminal", "register", ...till);
  expect(first).toMatchObject({ pointOfServiceID: id });
  const next = (terminalKey = "") =>
    fetch(`${stack.file.terminalsUrl}/next-message?wait=0`, { headers: { "x-terminal-key": terminalKey } });
  const second = await shown<Made>("terminal", "rekey", id);
  for (const { terminalKey } of [first, second]) expect((await next(terminalKey)).status).toBe(204);
  await expect(shown("terminal", "register", ...till)).rejects.toThrow("was registered before");

  await expect(shown("terminal", "retire", id, "--yes")).rejects.toThrow("run `terminal set --status closed` first");
  expect(await shown("terminal", "set", id, "--status", "closed")).toMatchObject({ status: "closed" });
  await expect(shown("terminal", "retire", id, "--yes")).rejects.toThrow("A payment may still be on its way to it");
  const { terminals } = tablePorts(azureTables(stack.file.tables));
  const view = await terminals.find(id.toLowerCase());
  if (!view) throw new Error("the terminal is gone");
  await terminals.save({ ...view.terminal, updatedAt: new Date(Date.now() - 61_000).toISOString() }, view.etag);
  expect(await shown("terminal", "retire", id, "--yes")).toMatchObject({ status: "retired" });

  await expect.poll(async () => (await next(second["terminalKey"])).status).toBe(401); // within at most ten seconds
  expect(await partnerOn(stack.file, made).refused("GET", `/pointOfServices/${id}/pos-status`)).toMatchObject({
    status: 404,
    body: { code: "terminal_not_found" },
  });
  await expect(shown("terminal", "rekey", id)).rejects.toThrow("The terminal is retired.");
  const listed = await shown<Made[]>("terminal", "list", "--partner", made.partnerID);
  expect(listed.map(({ name }) => name)).toEqual(["Till 3"]);

  const audit = await shown<{ by: string; command: string; about: Made; outcome: string }[]>("audit", "list");
  const named = (word: string) => audit.filter(({ about }) => Object.values(about).includes(word));
  expect(named(id).map(({ command, outcome }) => `${command}: ${outcome}`)).toEqual([
    "terminal register: done",
    "terminal rekey: done",
    "terminal register: failed",
    "terminal retire: failed",
    "terminal set: done",
    "terminal retire: failed",
    "terminal retire: done",
    "terminal rekey: failed",
  ]);
  expect(audit).toContainEqual(expect.objectContaining({ command: "partner create", outcome: "done" }));
  expect(named(made.partnerID).map(({ command }) => command)).toContain("partner create");
  expect(JSON.stringify(audit)).not.toContain("Till 4");
});
