import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { callBy, terminalId } from "../../support/platform.ts";

// Payments whose terminal contradicts itself, and what came of them.

export const charge = { chargeId: "charge-1" };
export const HOUR = 3600;
/** The time in which an authorization must be captured, and a second more. */
export const CAPTURE_TIME = 36 * HOUR + 1;

type AnyPayment = Awaited<ReturnType<typeof aPayment>>;

export async function authorized(report: Partial<Report> = approval) {
  const payment = await aPayment();
  await payment.sendReport("authorized", report);
  return payment;
}

export async function captured(report: Partial<Report> = approval) {
  const payment = await aPayment({ captureMode: "automatic" });
  await payment.sendReport("authorized", report);
  return payment;
}

/** A payment whose capture was requested, fetched, and reported as failed. */
export async function captureFailed() {
  const payment = await authorized();
  await payment.capture();
  await payment.platform.pass();
  await payment.sendReport("captureFailed", { ...charge, messageId: (await payment.fetch())?.messageId });
  return payment;
}

/** A payment whose capture failed, after its time: the terminal was asked, and still holds the authorization, so it is voided. */
export async function voidAsked(payment: AnyPayment) {
  await payment.platform.pass(CAPTURE_TIME);
  const query = await payment.fetch();
  await payment.sendReport("captureFailed", { ...charge, messageId: query?.messageId });
  await payment.platform.pass();
}

/** The alerts of a payment: kind, subject and count. */
export const alertsOf = async ({ platform, sessionId }: AnyPayment) =>
  (await platform.deps.alerts.of(sessionId)).map(({ alert }) => `${alert.kind} ${alert.about ?? ""} ${alert.count}`);

/** The bookings of a payment: kind and amount. */
export async function booked({ platform, sessionId }: AnyPayment) {
  const days = ["2026-11-21", "2026-11-22", "2026-11-23"];
  const books = await Promise.all(days.map((day) => platform.deps.bookings.ofFile({ terminalId, day })));
  const own = books.flat().filter((one) => one.sessionId === sessionId);
  return own.map(({ kind, amount }) => `${kind} ${amount}`);
}

/** An operator decides, as the acquirer's list has it. */
export async function decide({ platform, key, now }: AnyPayment, outcome: Outcome) {
  const { deps } = platform;
  const seen = { ...key, sequence: (await now()).sequence };
  const decided = await recordResolution(deps, callBy(deps), seen, {
    ...outcome,
    by: "ada",
    why: "the acquirer's list",
  });
  await platform.pass();
  return decided;
}
