import { useCases, type Mutant } from "./mutant.ts";

/** Rules of reports, refunds, webhooks and vouchers. */
export const moneyMutants: readonly Mutant[] = [
  // Reports.
  {
    name: "does not store reports",
    file: "shared/stores/payments.ts",
    find: "if (entry.reportId !== undefined) {",
    replace: "if (entry.reportId === null) {",
  },
  {
    name: "acknowledges only on the first report",
    file: `${useCases}/payments/record-report.ts`,
    find: "if (reading) await deps.inboxes.remove(",
    replace: "if (reading && !amended.value.replayed) await deps.inboxes.remove(",
  },
  {
    name: "treats every approval as a new one",
    file: "shared/domain/payment/reports/approvals.ts",
    find: "  const recognised = recognise(payment, charge);\n",
    replace: "  const recognised = payment.charges.length < 20 ? undefined : recognise(payment, charge);\n",
  },
  {
    name: "ignores an earlier cancel in reconciling",
    file: "shared/domain/payment/life/transitions.ts",
    find: "authorized: approvedLate,\n    captured: capturedAlready,",
    replace: "authorized: approvedInTime,\n    captured: capturedAlready,",
  },
  {
    name: "keeps an approval of another amount",
    file: "shared/domain/payment/life/approval-rules.ts",
    find: 'const approvedOtherAmount = again("voidRequested", { reason: "amountMismatch" });',
    replace: 'const approvedOtherAmount = to("captured");',
  },
  // Refunds and webhooks.
  {
    name: "refunds more than was captured",
    file: "shared/domain/payment/record/kept-money.ts",
    find: 'refund.chargeId === chargeId && refund.status !== "failed"',
    replace: 'refund.chargeId === chargeId && refund.status === "succeeded"',
  },
  {
    name: "does not recognise a refund by its name",
    file: "shared/domain/payment/requests/repeated-refund.ts",
    find: "const [meant, ...others] = request.names.map((name) => refunds.find((r) => isNamed(payment, r, name)));",
    replace: "const [meant, ...others] = request.names.map(() => refunds[refunds.length]);",
  },
  {
    name: "sends no webhook of the platform's own changes",
    file: "shared/domain/payment/life/advance.ts",
    find: "isChanged(before, next) ? [eventBy",
    replace: 'isChanged(before, next) && by !== "platform" ? [eventBy',
  },
  {
    name: "sends a new webhook-id with each attempt",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: "    id: effect.eventId,\n",
    replace: "    id: `${effect.eventId}_${to.at}`,\n",
  },
  {
    name: "gives a webhook up after its first failure",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: "  isTaken(made) || made.outcome === NOT_REGISTERED\n    ? undefined",
    replace: "  isTaken(made) || made.outcome === NOT_REGISTERED || made.attempt > 0\n    ? undefined",
  },
  // Vouchers.
  {
    name: "offers a voucher that it did not reserve",
    file: `${useCases}/payments/reserve-voucher.ts`,
    find: "return takesOffers ? reserve(deps, call, key, voucher) : undefined;",
    replace: "return takesOffers ? true : undefined;",
  },
  {
    name: "redeems and releases no voucher",
    file: "shared/domain/payment/life/advance.ts",
    find: '...decidedVouchers(payment, next).map((voucher): Effect<"payment"> => ({ kind: "voucherOutcome", ...voucher })),',
    replace: "",
  },
  {
    name: "treats a voucher as free although a payment is paid with it",
    file: "shared/domain/payment/life/voucher-use.ts",
    find: 'return discount.status === "applied" ? "spent" : "free";',
    replace: 'return discount.amount === 0 ? "spent" : "free";',
  },
  // The terminal's duties: the simulated terminal must fulfil them.
  {
    name: "a terminal obeys repeated messages",
    file: "test/simulation/actors/terminal.ts",
    find: "    if (answers) return answers.forEach(send);\n",
    replace: "",
  },
];
