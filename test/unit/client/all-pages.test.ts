import { expect, it } from "vitest";
import { PlatformProblem } from "../../../clients/partners/failures.ts";
import { aClient, broken, json, problem } from "./a-client.ts";

const page = (sessions: readonly string[], next?: string) => () =>
  json(200, { payments: sessions.map((sessionID) => ({ sessionID })), next });

async function sessionsOf(payments: AsyncIterable<{ readonly sessionID: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { sessionID } of payments) found.push(sessionID);
  return found;
}

it("every payment of a list is returned, across empty pages and failing calls, with one query", async () => {
  const { client, sent, pauses } = aClient([page(["a", "b"], "n1"), broken, page([], "n2"), page(["c"])]);
  expect(await sessionsOf(client.payments.all({ day: "2026-11-21", limit: 2 }))).toEqual(["a", "b", "c"]);
  const queries = sent.map(({ url }) => new URL(url).search);
  expect(queries).toEqual([
    "?day=2026-11-21&limit=2",
    "?day=2026-11-21&limit=2&after=n1",
    "?day=2026-11-21&limit=2&after=n1",
    "?day=2026-11-21&limit=2&after=n2",
  ]);
  expect(pauses).toHaveLength(2); // before the repeated call, and after the empty page
});

it("every terminal of a list is returned too", async () => {
  const terminals = (ids: readonly string[], next?: string) => () =>
    json(200, { pointOfServices: ids.map((pointOfServiceID) => ({ pointOfServiceID })), next });
  const { client, sent } = aClient([terminals(["a", "b"], "b"), terminals(["c"])]);
  const found: string[] = [];
  for await (const { pointOfServiceID } of client.terminals.all({ limit: 2 })) found.push(pointOfServiceID);
  expect(found).toEqual(["a", "b", "c"]);
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?limit=2", "?limit=2&after=b"]);
});

it("no page is read that the caller does not reach", async () => {
  const { client, sent } = aClient([page(["a", "b"], "n1")]);
  for await (const { sessionID } of client.payments.all()) if (sessionID === "b") break;
  expect(sent).toHaveLength(1);
});

it("a list that is refused rejects, and so does one whose signal is aborted", async () => {
  const { client } = aClient([() => json(422, problem(422, "validation_failed", false))]);
  await expect(sessionsOf(client.payments.all({ limit: 1_000 }))).rejects.toThrow(PlatformProblem);
  const { client: other } = aClient([page([], "n1")]);
  const reason = new Error("enough");
  await expect(sessionsOf(other.payments.all({}, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
});
