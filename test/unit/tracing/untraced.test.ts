import { expect, it } from "vitest";
import { untraced } from "../../../shared/adapters/tracing/tracing.ts";

it("without an address for traces no part of the app is wrapped", () => {
  const { endpoint, worker, ready: _ready, end: _end, ...decorators } = untraced;
  const part = {};
  const left = Object.entries(decorators).filter(
    ([, decorate]) => (decorate as (part: object) => object)(part) === part,
  );
  expect(left.map(([name]) => name).toSorted()).toEqual(["inboxes", "log", "mails", "queues", "tables", "webhooks"]);
  const handler = () => {};
  expect(endpoint({ name: "", method: "", route: "", waitsSeconds: undefined }, handler as never)).toBe(handler);
  expect(worker("mails", handler)).toBe(handler);
});
