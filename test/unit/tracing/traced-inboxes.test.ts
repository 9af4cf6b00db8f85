import { describe, expect, it } from "vitest";
import type { NewMessage } from "../../../shared/stores/inboxes.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { type Inboxes, inboxesTable } from "../../../shared/stores/inboxes.ts";
import { eachTable } from "../../../shared/stores/stores.ts";
import { tracedInboxes } from "../../../shared/adapters/tracing/traced-inboxes.ts";
import { tracedTables } from "../../../shared/adapters/tracing/traced-tables.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { terminalId } from "../../support/platform.ts";
import { among, inATrace, recordSpans, TRACE_ID } from "./recorded-spans.ts";

const spans = recordSpans();
const { named, outer } = among(spans);
const sessionId = "eeeeeeee-0000-4000-8000-000000000001";

describe("inboxes", () => {
  const slot = { sessionId, sequence: 1, createdAt: "2026-11-21T10:00:00.000Z" };
  const message = { messageId: "m1", slot, message: { type: "cancel" } } as unknown as NewMessage;
  const inbox = (): Inboxes => tracedInboxes(inboxesTable(tracedTables(eachTable(() => inMemoryRows())).terminals));

  it("carry the worker's span to the terminal; a delivered message is one span under it", async () => {
    const inboxes = inbox();
    await inATrace(() => inboxes.file(terminalId, message));
    const { traceparent } = named("outer");
    const [row] = await inboxes.unanswered(terminalId);
    if (!row) throw new Error("no message");
    expect(row.traceparent).toBe(traceparent);
    const before = spans().length;
    await inboxes.lease(terminalId, row, "2026-11-21T10:00:10.000Z");
    expect(spans().slice(before)).toEqual([
      expect.objectContaining({
        name: "next-message",
        traceId: TRACE_ID,
        parentId: outer(),
        attributes: {
          "payment.terminal_id": terminalId,
          "payment.session_id": sessionId,
          "payment.command_id": "m1",
          "payment.message": "cancel",
        },
      }),
    ]);
  });

  it("have no span for a message that another poll delivered first", async () => {
    const inboxes = inbox();
    await inATrace(() => inboxes.file(terminalId, message));
    const [row] = await inboxes.unanswered(terminalId);
    if (!row) throw new Error("no message");
    await inboxes.lease(terminalId, row, "2026-11-21T10:00:10.000Z");
    await expect(inboxes.lease(terminalId, row, "2026-11-21T10:00:10.000Z")).rejects.toThrow(Conflict);
    expect(spans().filter(({ name }) => name === "next-message")).toHaveLength(1);
  });
});
