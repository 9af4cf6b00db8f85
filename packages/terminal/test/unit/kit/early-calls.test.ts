import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { newPlatform } from "../../../kit/platform.ts";

const terminalKey = "tk_unit_secret";

function powered() {
  const platform = newPlatform({ terminalKey, pointOfServiceID: randomUUID(), newId: randomUUID, clock: Date.now });
  platform.powerUp();
  const call = (method: string, target: string, sent?: object, gone = new AbortController().signal) => {
    const body = new TextEncoder().encode(sent ? JSON.stringify(sent) : "");
    const content = { "content-type": "application/json", "content-length": String(body.length) };
    return { method, target, gone, body, headers: { "x-terminal-key": terminalKey, ...content } };
  };
  const start = { reportID: randomUUID(), type: "started", memory: "kept" };
  return {
    platform,
    start: () => platform.respond("report", call("POST", "/terminals/report", start)),
    poll: (gone?: AbortSignal) =>
      platform.respond("next-message", call("GET", "/terminals/next-message", undefined, gone)),
  };
}

it("does not count a poll as early once the response to the start is ready to be written", async () => {
  const { platform, start, poll } = powered();
  expect((await start())?.status).toBe(200);
  await poll();
  expect(platform.unannounced).toEqual([]);
});

it("does not blame a start for a poll that the power cut before it has ended", async () => {
  const { platform, start, poll } = powered();
  await start();
  platform.powerUp();
  const connection = new AbortController();
  const left = poll(connection.signal);
  connection.abort();
  await left;
  expect(platform.unannounced).toEqual([]);
});

it("reports a poll that came before the start", async () => {
  const { platform, poll } = powered();
  await poll();
  expect(platform.unannounced).toMatchObject([{ powerUp: platform.powerUps(), call: "next-message" }]);
});
