import { terminal, type AuthDeps } from "../../shared/edge/auth/authenticate.ts";
import { keyedDigest } from "../../shared/edge/auth/credentials.ts";
import { reportRecorded } from "../../shared/contracts/objects/report-recorded.ts";
import { terminalReport, terminalReportBody, unreadReport } from "../../shared/contracts/requests/terminal-report.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { fieldProblems } from "../../shared/edge/http/field-problems.ts";
import { saidBy } from "../../shared/domain/payment/record/said.ts";
import {
  callAboutCardData,
  keepOrphanReport,
  keepUnreadableReport,
  refusedBy,
  reusedBy,
  type KeepOrphanReportDeps,
} from "../../shared/use-cases/alerts/keep-orphan-report.ts";
import { recordReport, type RecordReportDeps } from "../../shared/use-cases/payments/record-report.ts";
import {
  requeryAfterRestart,
  type RequeryAfterRestartDeps,
} from "../../shared/use-cases/payments/requery-after-restart.ts";
import { acknowledgeActionResponse } from "../../shared/use-cases/terminals/acknowledge-action-response.ts";

export const report = defineEndpoint({
  auth: terminal,
  name: "report",
  method: "POST",
  route: "report",
  summary: "Report",
  description:
    "Reports an event of a payment, the arrival of an answer, or a start of the terminal. The same `reportID` has no further effect. A refused report about money is kept for an operator. Correct it and report it again.",
  body: requestBody(terminalReportBody, terminalReport, unreadReport),
  successes: { 200: success("The report is stored.", reportRecorded) },
  problems: ["payment_not_found"],
  handle: async (
    deps: RecordReportDeps & KeepOrphanReportDeps & RequeryAfterRestartDeps & Pick<AuthDeps, "peppers">,
    call,
  ) => {
    const { body } = call;
    await callAboutCardData(deps, call, body.cardDataIn);
    switch (body.of) {
      case "unreadable": {
        const { problem, contentType, length, bytes } = body;
        const digest = bytes && keyedDigest(bytes, deps.peppers);
        await keepUnreadableReport(deps, call, { contentType, length, digest }, problem.code);
        return { problem };
      }
      case "doubtful":
        await keepOrphanReport(deps, call, body.sent, { as: body.problem.code, wrong: body.wrong });
        return { problem: body.problem };
      case "refused": {
        const refused = {
          code: "validation_failed",
          errors: fieldProblems(body.readAs, body.issues, body.sent),
        } as const;
        await keepOrphanReport(deps, call, body.sent, refusedBy(refused));
        return refusal(refused);
      }
      case "payment": {
        const recorded = await recordReport(deps, call, body.sessionId, body.report);
        if (!recorded.ok) {
          await keepOrphanReport(deps, call, body.sent, refusedBy(recorded.error));
          return refusal(recorded.error);
        }
        const { before } = recorded.value;
        if (before) await keepOrphanReport(deps, call, body.sent, reusedBy(before, saidBy(body.report)));
        break;
      }
      case "answer":
        await acknowledgeActionResponse(deps, call.caller.terminal.terminalId, body.actionRequestId);
        break;
      case "start":
        await deps.terminals.describe(call.caller.terminal.terminalId, body.described);
        await requeryAfterRestart(deps, call, body);
        break;
    }
    return respond(200, { reportID: body.idAsReceived, recorded: true } as const);
  },
});
