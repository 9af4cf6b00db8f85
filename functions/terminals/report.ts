import { terminalReportBody } from "../../shared/contracts/terminal-report.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { terminalFunction } from "../../shared/http/http-function.ts";
import { recordReport, type RecordReport } from "../../shared/use-cases/record-report.ts";
import { recordStart } from "../../shared/use-cases/record-start.ts";
import { settleAnswer } from "../../shared/use-cases/settle-answer.ts";

/** Takes what a terminal says happened: to a payment, to an answer it got, or to itself. The same `reportID` changes nothing. */
export const report = (deps: RecordReport) =>
  terminalFunction({
    name: "report",
    method: "POST",
    route: "report",
    body: terminalReportBody,
    handle: async ({ caller, body, traceparent }) => {
      const { terminal } = caller;
      switch (body.of) {
        case "payment": {
          const recorded = await recordReport(deps, terminal, body.sessionId, body.report, traceparent);
          if (!recorded.ok) return refusal(recorded.error);
          break;
        }
        case "answer": {
          const { partnerId } = terminal;
          const { actionRequestId, messageId } = body;
          await settleAnswer(deps, { kind: "actionRequest", partnerId, actionRequestId }, messageId);
          break;
        }
        case "start":
          await recordStart(deps, caller, body.reportId);
          break;
      }
      return answer(200, { reportID: body.spelledId, recorded: true });
    },
  });
