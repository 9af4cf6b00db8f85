import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { exportFolder } from "../../infra/operator/backup/folder.ts";
import { exportTables } from "../../infra/operator/backup/export-tables.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { eachTable, tablePorts } from "../../shared/stores/stores.ts";
import { partnerFor } from "../support/partner.ts";
import { rowsOf } from "../support/table-access.ts";
import { waitFor } from "../support/wait-for.ts";

const stack = inject("stack");
const { pointOfServiceID, terminalKey } = partnerFor("unreadable reports").partner.terminals.silent;

const card = "5454545454545454";
const report = { type: "authorized", sessionID: randomUUID(), chargeID: randomUUID(), amount: 125.5, currency: "SEK" };
const written = (members: string): string =>
  JSON.stringify({ ...report, reportID: randomUUID() }).replace("{", `{${members},`);
const bodies: readonly (readonly [string, string | Uint8Array<ArrayBuffer>, number, string?])[] = [
  ["card number in a text", written(`"detail":"card ${card}","amount":1`), 400],
  ["card number in a number", written(`"acquirer":{"rrn":${card}},"currency":"SEK"`), 400],
  ["card number twice", written(`"refundID":"${card}","refundID":"${card}"`), 400],
  ["card number in a body that is not JSON", `PAN=${card}`, 400],
  ["card number in a compressed body", gzipSync(written(`"detail":"card ${card}"`)), 415, "gzip"],
  ["length above the limit", written(`"receipt":"${"x".repeat(70_000)}"`), 413],
];

/** Every line of a full export of the platform. */
async function exported(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "exported-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tables = eachTable((table) => rowsOf(stack, table));
  await exportTables(tables, await exportFolder(join(folder, "export")), { now: () => new Date().toISOString() });
  const files = await readdir(join(folder, "export"));
  return (await Promise.all(files.map((file) => readFile(join(folder, "export", file), "utf8")))).join("\n");
}

it("a report that cannot be read raises an alert, and shows its card number nowhere", async () => {
  const headers = { "x-terminal-key": terminalKey, "Content-Type": "application/json" };
  const host = { ...headers, "x-functions-key": stack.demo.functionsKeys.terminals };
  const send = async (
    url: string,
    body: string | Uint8Array<ArrayBuffer>,
    sent: Record<string, string>,
    coding = "identity",
  ) => (await fetch(url, { method: "POST", headers: { ...sent, "Content-Encoding": coding }, body })).status;
  const gatewayUrl = `${stack.terminalsUrl}/report`;
  for (const [what, body, status, coding] of bodies) {
    expect([what, await send(gatewayUrl, body, headers, coding)]).toEqual([what, status]);
    // The Functions host rejects a longer body before a function sees it.
    const url = `${stack.functionsUrl}/report`;
    if (status !== 413) expect([what, await send(url, body, host, coding)]).toEqual([what, status]);
  }
  const { alerts } = tablePorts(azureTables(stack.tables));
  const reports = async () => (await alerts.of(pointOfServiceID)).flatMap(({ alert }) => alert.reports);
  const kept = await waitFor("an alert with every body", reports, { until: (all) => all.length === bodies.length });
  expect(kept.map(({ refusedAs }) => refusedAs).toSorted()).toEqual([
    "body_too_large",
    ...Array.from({ length: 4 }, () => "invalid_json"),
    "unsupported_media_type",
  ]);
  const all = await exported();
  expect(all).toContain("…5454");
  expect(all).not.toContain(card);
});
