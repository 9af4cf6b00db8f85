import type * as z from "zod";
import { terminalReportBody } from "../../../shared/contracts/requests/terminal-report.ts";
import { acknowledgedBy, answeredBy } from "../../../shared/domain/payment/reports/answered.ts";
import { fieldProblems } from "../../../shared/edge/http/field-problems.ts";
import type { EndpointResponse } from "../../../shared/edge/http/response.ts";
import type { Filed, Inbox } from "./inbox.ts";
import { draftOf, membersOf, type Draft } from "./received-report.ts";

/** The result of a request. The caller then sends it or drops it. */
export interface Outcome {
  readonly response: EndpointResponse;
  readonly report?: Draft | undefined;
}

/** The state of the platform that decides about a report. */
export interface Surroundings {
  readonly inbox: Inbox;
  /** Every message that was filed and not withdrawn, in order. */
  readonly filed: () => readonly Filed[];
  readonly sessions: ReadonlySet<string>;
  /** The report of a start was taken. */
  readonly started: () => void;
}

/** Takes every valid report of a known session once, by its identifier. A report removes the messages that it answers from the inbox. */
export function newTakenReports({ inbox, filed, sessions, started }: Surroundings) {
  const taken = new Map<string, string | undefined>();
  let sequence = 1_000; // higher than every message's: a report answers messages that were filed before it

  function record(sent: unknown): Outcome {
    const body = terminalReportBody.parse(sent);
    const members = membersOf(sent);
    if (body.of === "refused") {
      const errors = fieldProblems(body.readAs, body.issues, sent);
      return { response: { problem: { code: "validation_failed", errors } }, report: draftOf(members) };
    }
    const known = body.of !== "payment" || sessions.has(body.sessionId);
    if (!known) return { response: { problem: { code: "payment_not_found" } }, report: draftOf(members) };
    if (body.of === "start") started();
    const reportId = body.idAsReceived.toLowerCase();
    const isRepeat = taken.has(reportId);
    if (isRepeat) inbox.remove(filed().filter(({ messageId }) => messageId === taken.get(reportId)));
    else taken.set(reportId, conclude(body));
    const response = { status: 200, body: { reportID: body.idAsReceived, recorded: true } };
    return { response, report: { ...draftOf(members), answers: taken.get(reportId), isRepeat, isTaken: true } };
  }

  /** Removes the messages that the report answers from the inbox. Returns the answered message's identifier. */
  function conclude(body: z.infer<typeof terminalReportBody>): string | undefined {
    if (body.of === "answer") {
      const open = inbox.open(body.actionRequestId);
      inbox.remove(open);
      return open[0]?.messageId;
    }
    if (body.of !== "payment") return undefined;
    const { report, sessionId } = body;
    const open = inbox.open(sessionId);
    const named = filed().find(({ messageId }) => messageId === report.messageId);
    const toAnswered = ({ messageId, message: { type }, slot }: Filed) => ({
      messageId,
      type,
      sequence: slot.sequence,
    });
    const answered = answeredBy(report, named && toAnswered(named), open)?.messageId ?? report.messageId;
    const concluded = {
      sequence: ++sequence,
      messageId: answered,
      payment: { charges: [], status: "captureRequested" as const },
    };
    inbox.remove(acknowledgedBy(report, concluded, open));
    return answered;
  }

  return { record };
}
