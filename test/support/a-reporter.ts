import { randomUUID } from "node:crypto";
import { HttpRequest, InvocationContext } from "@azure/functions";
import { report } from "../../functions/terminals/report.ts";
import { readUntil } from "../../shared/adapters/tables/read-until.ts";
import { hashKey } from "../../shared/edge/auth/credentials.ts";
import { noAuthWork } from "./auth-deps.ts";
import { inMemoryRows } from "./in-memory-rows.ts";
import { aPlatform, aTerminal, type Platform, partnerId, terminalId } from "./platform.ts";

const pepper = "a pepper of some length";
const subject = { kind: "terminal", partnerId, terminalId, day: "2026-11-21" } as const;

/** A platform, and its terminal with a known key. */
export const aReporter = async (opened: (rows: ReturnType<typeof inMemoryRows>) => void = () => {}) =>
  reporterOn(
    await aPlatform({
      open() {
        const rows = inMemoryRows();
        opened(rows);
        return rows;
      },
    }),
  );

/** The platform's terminal with a known key, and its reports over HTTP. */
export async function reporterOn(platform: Platform) {
  const { deps } = platform;
  const known = await deps.terminals.find(terminalId);
  const terminal = aTerminal({ keyHash: hashKey("secret", pepper, { keyId: terminalId, partnerId }), pepperId: "p" });
  await deps.terminals.save(terminal, known?.etag);
  const http = {
    peppers: { p: pepper },
    ...noAuthWork,
    responseTimeoutMs: 3_000,
    readUntil,
  };
  const handler = report.handler({ ...deps, ...http });
  const keyID = terminalId.replaceAll("-", "");
  return {
    ...platform,
    /** Sends a report and returns the status. `body` is the request's text, or an object that is sent as JSON. */
    async sendReport(
      body: object | string,
      secret = "secret",
      more: Record<string, string> = {},
    ): Promise<number | undefined> {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const headers = {
        "x-terminal-key": `tk_${keyID}_${secret}`,
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
        ...more,
      };
      const request = new HttpRequest({ method: "POST", url: "http://t/report", headers, body: { string: text } });
      return (await handler(request, new InvocationContext())).status;
    },
    ofDay: async () => (await deps.alerts.find({ subject, kind: "orphanReport" }))?.alert,
  };
}

export const approval = () => ({
  reportID: randomUUID(),
  type: "authorized",
  sessionID: randomUUID(),
  chargeID: randomUUID(),
  amount: 125.5,
  currency: "SEK",
});
