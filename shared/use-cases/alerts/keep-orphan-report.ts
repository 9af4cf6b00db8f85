import { createHash } from "node:crypto";
import {
  isAboutMoney,
  reportedMembers,
  unreadableMembers,
  type OrphanReport,
  type UnreadableBody,
} from "../../domain/orphan-report.ts";
import { storableDetail } from "../../domain/alert.ts";
import { differing, type Said } from "../../domain/payment/record/said.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import { dayOf } from "../../domain/time.ts";
import type { TerminalCall } from "../caller.ts";
import type { Needs } from "../needs.ts";

export type KeepOrphanReportDeps = Needs<"bareAlerts">;

/** Why a report was refused. */
export interface RefusedReport {
  /** The problem code of the refusal, or `reused_report_id`. */
  readonly as: string;
  /** The invalid members. */
  readonly wrong: readonly string[];
  /** The earlier report under the same identifier. */
  readonly before?: string;
}

export const refusedBy = (refusal: Refusal<"validation_failed" | "payment_not_found">): RefusedReport => ({
  as: refusal.code,
  wrong: "errors" in refusal ? refusal.errors.map(({ field }) => field) : [],
});

/** The refusal of a report whose identifier an earlier report with other content already has. */
export const reusedBy = (before: Said, said: Said): RefusedReport => ({
  as: "reused_report_id",
  wrong: differing(before, said),
  before: [before.type, before.chargeId, before.refundId, before.amount, before.currency]
    .filter((part) => part !== undefined)
    .join(" "),
});

/**
 * Keeps a refused report about money, and calls an operator. Any other report is ignored. The report goes through a queue, so that an
 * outage of the tables does not lose it. A repeated report is recognised by its content and counted once. Throws `Unavailable` if the queue
 * does not accept it. The terminal must then report again.
 *
 * @param sent the report's body as it was received
 */
export async function keepOrphanReport(
  deps: KeepOrphanReportDeps,
  call: TerminalCall,
  sent: unknown,
  refused: RefusedReport,
): Promise<void> {
  if (isAboutMoney(sent)) await keep(deps, call, reportedMembers(sent), refused);
}

/**
 * Calls an operator if a terminal wrote card data into members of a report. It is not stored. The alert of a terminal and day
 * counts each combination of members once.
 */
export async function callAboutCardData(
  { bareAlerts }: KeepOrphanReportDeps,
  { caller, now, traceparent }: TerminalCall,
  members: readonly string[],
): Promise<void> {
  if (members.length === 0) return;
  const { partnerId, terminalId } = caller.terminal;
  const at = now();
  const detail = `in ${members.join(", ")}`;
  await bareAlerts.send({
    v: newestVersion,
    raised: {
      subject: { kind: "terminal", partnerId, terminalId, day: dayOf(at) },
      kind: "cardNumberReported",
      detail,
      cause: detail,
      at,
    },
    traceparent,
  });
}

/**
 * Keeps a body that cannot be read, since it may be about money, and calls an operator. Two bodies without a digest count once if they have
 * the same length and type.
 */
export const keepUnreadableReport = (
  deps: KeepOrphanReportDeps,
  call: TerminalCall,
  body: UnreadableBody,
  as: string,
): Promise<void> => keep(deps, call, unreadableMembers(body), { as, wrong: [] });

async function keep(
  { bareAlerts }: KeepOrphanReportDeps,
  { caller, now, traceparent }: TerminalCall,
  reported: OrphanReport["reported"],
  refused: RefusedReport,
): Promise<void> {
  const { partnerId, terminalId } = caller.terminal;
  const cause = createHash("sha256").update(JSON.stringify(reported)).digest("hex");
  const at = now();
  const wrong = refused.wrong.slice(0, MAX_WRONG).map((name) => name.slice(0, 64));
  await bareAlerts.send({
    v: newestVersion,
    raised: {
      subject: { kind: "terminal", partnerId, terminalId, day: dayOf(at) },
      kind: "orphanReport",
      detail: storableDetail(
        [refused.as, ...wrong, ...(refused.before === undefined ? [] : [`(before: ${refused.before})`])].join(" "),
      ),
      cause,
      at,
      report: { cause, at, refusedAs: refused.as, wrong, reported },
    },
    traceparent,
  });
}

const MAX_WRONG = 10;
