import { resolve } from "node:path";
import { expect, describe, it } from "vitest";
import { readNamedValues } from "../../../packages/local-azure/gateway/gateway.ts";
import { aGateway } from "./a-gateway.ts";
import { startEchoBackend } from "../../../packages/local-azure/common/test/echo-backend.ts";

// The limits of production, with a clock that stands still. All calls come at once, and no limit recovers.

const namedValues = await readNamedValues(resolve(import.meta.dirname, "../../../infra/azure/apim"), "production");

async function inProduction(answers?: Parameters<typeof startEchoBackend>[0]) {
  const gateway = await aGateway({ backendUrl: (await startEchoBackend(answers)).url, namedValues, now: () => 0 });
  return async (calls: number, keyOf: (call: number) => string | undefined) => {
    const statuses: number[] = [];
    for (let call = 0; call < calls; call++) {
      const key = keyOf(call);
      const headers = key === undefined ? {} : { "x-terminal-key": key };
      const answer = await gateway.ask("/terminals/next-message", { headers });
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

  it("many terminals may be behind one address", async () => {
    const call = await inProduction();
    const terminals = await Promise.all(Array.from({ length: 20 }, (_, i) => call(125, (n) => `tk_${i}x${n}_secret`)));
    expect(new Set(terminals.flat())).toEqual(new Set([200]));
  });

  it("an address with a new wrong key for each call must finally wait", async () => {
    const refusal = { "content-type": "application/problem+json" };
    const call = await inProduction((response) => response.writeHead(401, refusal).end("{}"));
    const guesses = await call(2_500, (n) => `tk_${n}_guess`);
    expect(guesses.filter((status) => status === 429)).toHaveLength(2_500 - 2_400);
  });

  it("calls without a key, whose refusal is the gateway's own, must wait as one terminal", async () => {
    const statuses = await (await inProduction())(121, () => undefined);
    expect(statuses).toEqual([...Array.from({ length: 120 }, () => 401), 429]);
  });
});
