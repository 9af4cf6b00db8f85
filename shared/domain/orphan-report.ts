import { z } from "zod";
import { isIdentifier } from "./identifier.ts";
import { reportTypes, type ReportType } from "./payment/events.ts";
import type { RecordOf } from "./record.ts";
import { storableText } from "./stored-text.ts";
import { instant } from "./time.ts";

/**
 * A terminal's report of money that no payment could record, because it names no known payment or cannot be read. `reported` holds the
 * report's known members by their paths (`acquirer.rrn`), each as text.
 */
export const orphanReportRecord = z.object({
  /** The cause of the alert that it raised. A repeated report has the same cause. */
  cause: z.string(),
  at: instant,
  /** The problem code of the refusal, and the members that were wrong. */
  refusedAs: z.string(),
  wrong: z.array(z.string()),
  reported: z.record(z.string(), z.string()),
});
export interface OrphanReport extends RecordOf<typeof orphanReportRecord> {}

const moneyReports: readonly ReportType[] = [
  "authorized",
  "captured",
  "captureFailed",
  "voided",
  "voidFailed",
  "refunded",
  "refundFailed",
];
const moneyMembers = ["amount", "chargeID", "refundID"];

/**
 * Whether money may have moved. The report's type decides, in any spelling; where the type is unknown, the members that it carries decide.
 */
export function isAboutMoney(sent: unknown): boolean {
  if (typeof sent !== "object" || sent === null) return false;
  const type = "type" in sent ? String(sent.type).trim().toLowerCase() : "";
  const known = reportTypes.find((name) => name.toLowerCase() === type);
  if (known !== undefined) return moneyReports.includes(known);
  return type !== "started" && moneyMembers.some((member) => member in sent);
}

/** The members that are kept, and how many characters of each. Other members are not kept, since they may hold secrets of a card. */
const kept = {
  reportID: 64,
  type: 64,
  sessionID: 64,
  messageID: 64,
  chargeID: 64,
  refundID: 64,
  amount: 64,
  currency: 64,
  detail: 256,
  "acquirer.authorisationCode": 64,
  "acquirer.rrn": 64,
  "acquirer.stan": 64,
  "acquirer.tid": 64,
  "acquirer.mid": 64,
  "card.brand": 64,
  "card.last4": 64,
  "card.entryMode": 64,
} as const;

/** The known members of a report, without control characters and card numbers: about two thousand characters at most. */
export const reportedMembers = (sent: unknown): OrphanReport["reported"] =>
  Object.fromEntries(
    Object.entries(kept).flatMap(([path, most]) => {
      const value = path.split(".").reduce(memberOf, sent);
      return value === undefined || value === null ? [] : [[path, cleaned(path, value, most)]];
    }),
  );

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

function cleaned(path: string, value: unknown, most: number): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const isReference = isIdentifier(text) || path.startsWith("acquirer.");
  return storableText(isReference ? text : withoutCardNumbers(text), most);
}

/** A card number has 13 to 19 digits, which spaces or hyphens may separate. Its last four may be shown. */
const withoutCardNumbers = (text: string): string =>
  text.replaceAll(/\d(?:[ -]?\d){12,}/g, (number) => `…${number.replaceAll(/\D/g, "").slice(-4)}`);
