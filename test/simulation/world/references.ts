import type { ReportType } from "../../../shared/domain/payment/record/events.ts";

/** The RRN of an approval that names its authorisation. */
export const APPROVAL_RRN = "1";

/**
 * The RRN of a capture, refund or void, which no other movement has. Undefined for any other report.
 *
 * @param of the charge, or the refund in lower case
 */
export const referenceOf = (type: ReportType, of: string): string | undefined =>
  type === "captured" || type === "refunded" || type === "voided" ? `${type}:${of}` : undefined;
