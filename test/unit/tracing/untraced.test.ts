import { expect, it } from "vitest";
import { untraced } from "../../../shared/tracing/tracing.ts";

it("without an address for traces nothing stands around any part of the app", () => {
  const { endpoint, worker, ready: _ready, end: _end, ...decorators } = untraced;
  for (const [name, decorate] of Object.entries(decorators)) {
    const part = {};
    expect((decorate as (part: object) => object)(part), name).toBe(part);
  }
  const handler = () => {};
  expect(endpoint({ name: "", method: "", route: "", waits: undefined }, handler as never)).toBe(handler);
  expect(worker("mails", handler)).toBe(handler);
});
