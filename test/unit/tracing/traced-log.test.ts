import { describe, expect, it } from "vitest";
import { tracedLog } from "../../../shared/adapters/tracing/traced-log.ts";
import { partnerId, terminalId } from "../../support/platform.ts";
import { among, inATrace, recordSpans, TRACEPARENT } from "./recorded-spans.ts";

const spans = recordSpans();
const { named } = among(spans);
const sessionId = "eeeeeeee-0000-4000-8000-000000000001";

describe("the log", () => {
  const lines: unknown[] = [];
  const log = tracedLog({
    write: (event, line) => void lines.push([event, line]),
    within: (_names, _output, work) => work(),
    note: () => {},
  });

  it("adds the request, its caller and its subject to the span, as in its lines", async () => {
    const names = { requestID: "request-1", traceparent: TRACEPARENT, function: "report" };
    await inATrace(() =>
      log.within(names, console, async () => {
        log.note({ partner: partnerId, terminal: terminalId });
        log.note({ session: sessionId });
        log.write("worker", { outcome: "again", dueMs: 5 });
        log.write("backOff", { error: "Unavailable: a 5ecret" });
        log.write("bellsImpaired", { tries: 1 });
      }),
    );
    expect(named("outer")).toMatchObject({
      attributes: {
        "payment.request_id": "request-1",
        "payment.partner_id": partnerId,
        "payment.terminal_id": terminalId,
        "payment.session_id": sessionId,
        "payment.outcome": "again",
      },
      events: ["backOff"],
    });
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });

  it("is unchanged outside a trace", async () => {
    log.note({ partner: partnerId });
    log.write("slowCommit", { ms: 1 });
    expect(lines.at(-1)).toEqual(["slowCommit", { ms: 1 }]);
    expect(spans()).toEqual([]);
  });
});
