import * as z from "zod";
import { currencyExponent } from "./currency.ts";
import { isIdentifier } from "./identifier.ts";
import { reportTypes, type ReportType } from "./payment/record/events.ts";
import type { RecordOf } from "./record.ts";
import { withoutCardData } from "./card-data.ts";
import { storableText } from "./texts.ts";
import { day, instant } from "./time.ts";

/**
 * A terminal's report of money that no payment could record. It names no known payment, or cannot be read. `reported` holds its known
 * members as texts, by their paths (`acquirer.rrn`). If the body could not be read, it holds the content type, length and digest.
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

/** Whether money may have moved. The report's type decides, in any spelling. If the type is unknown, the members that it carries decide. */
export function isAboutMoney(sent: unknown): boolean {
  if (typeof sent !== "object" || sent === null) return false;
  const types = valuesAt(sent, "type").map((type) => (typeof type === "string" ? type.trim().toLowerCase() : ""));
  const known = reportTypes.filter((name) => types.includes(name.toLowerCase()));
  if (known.some((type) => moneyReports.includes(type))) return true;
  if (types.length === 1 && (known.length > 0 || types[0] === "started")) return false;
  return moneyMembers.some((member) => member in sent);
}

/** The members that are kept, and how many characters of each. Other members are not kept, since they may hold secrets of a card. */
const kept = {
  reportID: 64,
  type: 64,
  sessionID: 64,
  messageID: 64,
  chargeID: 64,
  refundID: 64,
  discountID: 64,
  amount: 64,
  currency: 64,
  businessDay: 64,
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

/**
 * The known members of a report, without control characters and card numbers: about two thousand characters at most.
 *
 * @param sent the body; the second value of a repeated `amount` is its member `amount (2)`
 */
export const reportedMembers = (sent: unknown): OrphanReport["reported"] =>
  Object.fromEntries(
    Object.entries(kept).flatMap(([path, most]) => {
      const [value, ...others] = valuesAt(sent, path).map((found) => cleaned(found, most));
      if (value === undefined) return [];
      return [[path, others.length === 0 ? value : `doubtful: ${[value, ...others].join(" / ")}`]];
    }),
  );

/** A body that cannot be read. */
export interface UnreadableBody {
  readonly contentType: string;
  /** In bytes, as the request counts them. */
  readonly length: string;
  /** Undefined if the body did not come this far. */
  readonly digest: string | undefined;
}

/** The body as an operator sees it. */
export const unreadableMembers = ({ contentType, length, digest }: UnreadableBody): OrphanReport["reported"] => ({
  contentType: cleaned(contentType, 64),
  length: cleaned(length, 64),
  ...(digest === undefined ? {} : { digest }),
});

/** The most values of a repeated member that are kept. */
const MAX_VALUES = 2;

/** The values at a path that are neither null nor absent: one, unless a name on the path is repeated. */
const valuesAt = (sent: unknown, path: string): readonly unknown[] =>
  path
    .split(".")
    .reduce<readonly unknown[]>((values, name) => values.flatMap((value) => valuesOf(value, name)), [sent])
    .filter((value) => value !== undefined && value !== null)
    .slice(0, MAX_VALUES);

const valuesOf = (value: unknown, name: string): readonly unknown[] =>
  typeof value === "object" && value !== null
    ? [name, `${name} (2)`].map((spelled) => (value as Readonly<Record<string, unknown>>)[spelled])
    : [];

function cleaned(value: unknown, most: number): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return storableText(isIdentifier(text) ? text : withoutLongNumbers(withoutCardData(text)), most);
}

/** Any number of 13 digits and more is masked, since nothing of the report is known to be right. Its last four digits may be shown. */
const withoutLongNumbers = (text: string): string =>
  text.replaceAll(/\d(?:[ -]?\d){12,}/g, (number) => `…${number.replaceAll(/\D/g, "").slice(-4)}`);

const loggedIdentifier = z.string().refine(isIdentifier).toLowerCase();
/** The form of each member that the log may have. An amount has at most twelve digits, so that no card number passes for one. */
const logged = {
  type: z.enum(reportTypes),
  reportID: loggedIdentifier,
  sessionID: loggedIdentifier,
  messageID: loggedIdentifier,
  chargeID: loggedIdentifier,
  refundID: loggedIdentifier,
  discountID: loggedIdentifier,
  amount: z.string().regex(/^\d{1,9}(\.\d{1,3})?$/),
  currency: z.string().refine((code) => currencyExponent(code) !== undefined),
  businessDay: day,
} as const;

/** The members of a report that the log may have: those that are well-formed. */
export const loggedMembers = ({ reported }: OrphanReport): { readonly [Name in keyof typeof logged]?: string } =>
  Object.fromEntries(
    Object.entries(logged).flatMap(([name, form]) => {
      const { data } = form.safeParse(reported[name]);
      return data === undefined ? [] : [[name, data]];
    }),
  );
