import { resolve } from "node:path";
import { expect, describe, it } from "vitest";
import { readNamedValues } from "../../../infra/emulators/gateway/gateway.ts";
import { aGateway } from "./a-gateway.ts";
import { startEchoBackend } from "../../../infra/emulators/common/test/echo-backend.ts";

// The limits of production, with a clock that stands still. All calls come at once, and no limit recovers.

const namedValues = await readNamedValues(resolve(import.meta.dirname, "../../../infra/azure/apim"), "production");

async function inProduction() {
  const gateway = await aGateway({ backendUrl: (await startEchoBackend()).url, namedValues, now: () => 0 });
  return async (calls: number, keyOf: (call: number) => string) => {
    const statuses: number[] = [];
    for (let call = 0; call < calls; call++) {
      const answer = await gateway.ask("/terminals/next-message", { headers: { "x-terminal-key": keyOf(call) } });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    return statuses;
  };
}

describe("in production", () => {
  it("twenty terminals of one shop may all start at the same moment, and continue as usual", async () => {
    const call = await inProduction();
    const terminals = await Promise.all(Array.from({ length: 20 }, (_, i) => call(25 + 50, () => `tk_${i}_secret`)));
    expect(new Set(terminals.flat())).toEqual(new Set([200]));
  });

  it("a terminal that polls without a pause must wait, and its neighbour need not", async () => {
    const call = await inProduction();
    const statuses = await call(121, () => "tk_1_secret");
    expect(statuses.indexOf(429)).toBe(120);
    expect(await call(1, () => "tk_2_secret")).toEqual([200]);
  });

  it("an address with a new key for each call must finally wait", async () => {
    const call = await inProduction();
    const guessers = await Promise.all(Array.from({ length: 20 }, (_, i) => call(125, (n) => `tk_${i}x${n}_guess`)));
    expect(guessers.flat().filter((status) => status === 429)).toHaveLength(2_500 - 2_400);
  });
});
