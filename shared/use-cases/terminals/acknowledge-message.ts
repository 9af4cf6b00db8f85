import { settleMessage, type RecordReportDeps } from "../payments/record-report.ts";
import type { Subject } from "../../ports/subjects.ts";

/** The terminal has the answer to its question: the message that brought it is not handed out again. */
export async function settleAnswer(deps: RecordReportDeps, subject: Subject, messageId: string): Promise<void> {
  const command = await deps.commands.find(subject, messageId);
  if (command) await settleMessage(deps, command);
}
