import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { followOtherEvents } from "../../try/other-events.ts";

it("npm run try reads a payment again only after a change, not if the live page repeats it", async () => {
  const payment = (sequence: number, sessionId = "a-session") => ({ payments: [{ sessionId, sequence }] });
  const changes = [payment(1), payment(1), payment(7, "another-session"), payment(2), { calls: [] }];
  const server = createServer((_, response) => {
    response.end(changes.map((change) => `data: ${JSON.stringify(change)}\n\n`).join(""));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const liveUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const heard = { changed: 0 };
  await followOtherEvents(
    { liveUrl, sessionID: "A-SESSION", signal: new AbortController().signal },
    { asked: () => {}, alerted: () => {}, changed: () => void heard.changed++ },
  );
  expect(heard.changed).toBe(2);
});
