import { terminalReportBody } from "../../shared/contracts/terminal-report.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { terminalFunction } from "../../shared/http/http-function.ts";
import { recordReport, type RecordReport } from "../../shared/use-cases/record-report.ts";

/** Takes what a terminal says happened to a payment. The same `reportID` again changes nothing. */
export const report = (deps: RecordReport) =>
  terminalFunction({
    name: "report",
    method: "POST",
    route: "report",
    body: terminalReportBody,
    handle: async ({ caller, body, traceparent }) => {
      const recorded = await recordReport(deps, caller.terminal, body.sessionId, body.report, traceparent);
      return recorded.ok ? answer(200, { reportID: body.report.reportId, recorded: true }) : refusal(recorded.error);
    },
  });
