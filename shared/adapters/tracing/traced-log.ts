import { trace, type Attributes } from "@opentelemetry/api";
import { logEvents, type Log, type ScopeNames } from "../../ports/log.ts";

/** The names of a request or worker run that its span also shows. All of them are identifiers. */
const attributeOf = {
  requestID: "payment.request_id",
  partner: "payment.partner_id",
  terminal: "payment.terminal_id",
  session: "payment.session_id",
  chargeID: "payment.charge_id",
  refundID: "payment.refund_id",
  actionRequest: "payment.action_request_id",
  landingPage: "payment.landing_page_id",
  tokenRequest: "payment.token_request_id",
} as const satisfies Partial<Readonly<Record<keyof ScopeNames, string>>>;

/**
 * Traces the log. The names of a request or worker run in its log lines also go onto its span, including the proven caller. A line that is
 * not routine is an event of the active span, with its name only.
 */
export const tracedLog = (log: Log): Log => ({
  within(names, output, work) {
    show(names);
    return log.within(names, output, work);
  },
  note(names) {
    show(names);
    log.note(names);
  },
  write(event, line) {
    const span = trace.getActiveSpan();
    if (event === "worker" && "outcome" in line && typeof line.outcome === "string")
      span?.setAttribute("payment.outcome", line.outcome);
    if (!("routine" in logEvents[event]) && !("ofProcess" in logEvents[event])) span?.addEvent(event);
    log.write(event, line);
  },
});

function show(names: ScopeNames): void {
  const attributes = Object.entries(attributeOf).map(([name, attribute]) => [
    attribute,
    names[name as keyof ScopeNames],
  ]);
  const known: Attributes = Object.fromEntries(attributes.filter(([, value]) => value !== undefined));
  trace.getActiveSpan()?.setAttributes(known);
}
