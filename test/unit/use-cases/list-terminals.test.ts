import { describe, expect, it } from "vitest";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { eachTable, tablePorts } from "../../../shared/stores/stores.ts";
import { listTerminals, type TerminalQuery } from "../../../shared/use-cases/terminals/list-terminals.ts";
import { countingRows, type TableCall } from "../../bench/counting-ports.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { caller, merchantId, partnerId } from "../../support/platform.ts";

const now = "2026-11-21T10:00:00.000Z";
const idOf = (i: number) => `cccccccc-0000-4000-8000-${String(i).padStart(12, "0")}`;

/** A partner's terminals, of which some are online. */
async function terminalsOf(count: number, { more = (_: number): Partial<Terminal> => ({}), online = [0] } = {}) {
  const calls: TableCall[] = [];
  const ports = tablePorts(eachTable((table) => countingRows(table, inMemoryRows(), (call) => void calls.push(call))));
  for (let i = 0; i < count; i++) {
    const terminalId = idOf(i);
    const key = { keyHash: "hash", pepperId: "p1", updatedAt: now };
    const fixed = { terminalId, idAsReceived: terminalId, partnerId, merchantId, name: `Till ${i}` };
    await ports.partners.addTerminal(partnerId, terminalId);
    await ports.terminals.save({ ...fixed, status: "available", strictOrders: false, ...key, ...more(i) }, undefined);
  }
  for (const i of online) await ports.terminals.seen(idOf(i), now, 87);
  calls.length = 0;
  return {
    ports,
    calls,
    async page(query: TerminalQuery & { limit?: number; after?: string | undefined; terminalIds?: string[] } = {}) {
      const { limit = 50, after, terminalIds, ...filter } = query;
      const call = { caller: { ...caller, terminalIds }, now: () => now, newId: () => "" };
      const page = await listTerminals({ ...ports, timings: standardTimings }, call, filter, { limit, after });
      return { names: page.terminals.map(({ name }) => name), next: page.next };
    },
  };
}

describe("a page of a partner's terminals", () => {
  it("has them in the order of their identifiers, and names the next page only while there are more", async () => {
    const { page } = await terminalsOf(5);
    const first = await page({ limit: 2 });
    expect(first.names).toEqual(["Till 0", "Till 1"]);
    const second = await page({ limit: 2, after: first.next });
    expect(second.names).toEqual(["Till 2", "Till 3"]);
    expect(await page({ limit: 2, after: second.next })).toEqual({ names: ["Till 4"], next: undefined });
    expect(await page({ limit: 5 })).toMatchObject({ next: undefined });
  });

  it("filters by merchant and status, and reads at most twenty terminals more than its limit", async () => {
    const { page, calls } = await terminalsOf(100, {
      more: (i) => (i % 50 === 49 ? { merchantId: "m2", merchantName: "Kaffebaren" } : {}),
      online: [3, 99],
    });
    const first = await page({ merchantId: "m2", limit: 40 });
    expect(first).toEqual({ names: ["Till 49"], next: idOf(59) });
    expect(calls).toHaveLength(1 + 2 * 60);
    expect(await page({ merchantId: "m2", limit: 40, after: first.next })).toEqual({
      names: ["Till 99"],
      next: undefined,
    });
    expect(await page({ status: "available", limit: 100 })).toMatchObject({ names: ["Till 3", "Till 99"] });
    expect(await page({ status: "offline", limit: 1 })).toEqual({ names: ["Till 0"], next: idOf(0) });
  });

  it("has only what the key reaches, and neither retired terminals nor those that another partner has got", async () => {
    const { page, ports } = await terminalsOf(6, { more: (i) => (i === 4 ? { partnerId: "another" } : {}) });
    await ports.partners.retireTerminal(partnerId, idOf(2), now);
    expect((await page()).names).toEqual(["Till 0", "Till 1", "Till 3", "Till 5"]);
    const terminalIds = [idOf(5), idOf(1), idOf(4), idOf(9)];
    expect(await page({ terminalIds })).toEqual({ names: ["Till 1", "Till 5"], next: undefined });
    expect(await page({ terminalIds, limit: 2, after: idOf(1) })).toEqual({ names: ["Till 5"], next: undefined });
  });

  it("goes on after a page on which every terminal is retired", async () => {
    const { page, ports } = await terminalsOf(23);
    for (let i = 0; i < 22; i++) await ports.partners.retireTerminal(partnerId, idOf(i), now);
    const first = await page({ limit: 1 });
    expect(first).toEqual({ names: [], next: idOf(20) });
    expect(await page({ limit: 1, after: first.next })).toEqual({ names: ["Till 22"], next: undefined });
  });

  it("of fifty costs one query of the list and two calls for each terminal, whatever the partner has", async () => {
    const { page, calls } = await terminalsOf(300);
    expect((await page()).names).toHaveLength(50);
    expect(calls).toHaveLength(101);
  });
});
