import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of captures and refunds that wait for their terminal. */
export const waitMutants: readonly Mutant[] = [
  {
    name: "accepts a refund without a name that waits for long",
    file: `${useCases}/payments/refund-payment.ts`,
    find: "const LONGEST_UNNAMED = 600;",
    replace: "const LONGEST_UNNAMED = 700_000;",
  },
  {
    name: "withdraws a refund and leaves its message in the inbox",
    file: `${useCases}/payments/withdraw-refund.ts`,
    find: "return decided.ok && message ? ok(taking(decided.value, [message])) : decided;",
    replace: "return decided.ok && message ? ok(taking(decided.value, [])) : decided;",
  },
  {
    name: "withdraws a refund that the terminal has fetched meanwhile",
    file: `${useCases}/payments/withdraw-refund.ts`,
    find: "message !== undefined, context);",
    replace: "message !== undefined || !!refund, context);",
  },
  {
    name: "announces no first look at a wait if another look is outstanding",
    file: `${domain}/life/deadlines.ts`,
    find: "[...begun.map((wait) => firstLook(wait, timings)), otherLook(before, next) ?? []].flat();",
    replace:
      "[...(otherLook(before, next) ? begun.map((wait) => firstLook(wait, timings)) : []), otherLook(before, next) ?? []].flat();",
  },
  {
    name: "lets a capture wait after its authorization has ended",
    file: `${domain}/life/waits.ts`,
    find: "earlier(after(now, seconds), most)",
    replace: "after(now, seconds)",
  },
  {
    name: "hands refunds out again after a restore",
    file: `${domain}/operator/restore.ts`,
    find: 'export const dueMessages = ({ charges }: Payment): readonly number[] =>\n  charges.flatMap(({ status, reversal }) => (status === "reversing" && reversal ? [reversal.sequence] : []));',
    replace:
      'export const dueMessages = ({ charges, refunds }: Payment): readonly number[] => [\n  ...refunds.flatMap(({ status, sequence }) => (status === "pending" ? [sequence] : [])),\n  ...charges.flatMap(({ status, reversal }) => (status === "reversing" && reversal ? [reversal.sequence] : [])),\n];',
  },
  {
    name: "takes a message without its row for one that was never fetched",
    file: `${useCases}/payments/look-at-payment.ts`,
    find: "const isWithdrawn = message !== undefined && isUnfetched(payment, message);",
    replace: 'const isWithdrawn = message ? isUnfetched(payment, message) : about?.act === "withdraw";',
  },
  {
    name: "calls nobody about a capture that waits",
    file: `${useCases}/payments/look-at-payment.ts`,
    find: "if (captureWaits && isCaptureWaiting) await retryOnConflict(() => callAboutWait(deps, payment, captureWaits, at));",
    replace: "",
  },
  {
    name: "voids a charge whose capture was not delivered",
    file: `${domain}/life/transitions.ts`,
    find: '      stays("authorized", { when: ["its capture was requested"], raises: "captureWaits" }),\n',
    replace: "",
  },
  {
    name: "voids a charge whose capture failed without asking its terminal",
    file: `${domain}/life/transitions.ts`,
    find: 'stays("authorized", { when: ["its capture failed"], sends: "statusQuery", arms: "doubt", asksToVoid: true }),',
    replace: 'givesBack("notCaptured", { when: ["its capture failed"] }),',
  },
  {
    name: "voids a charge whatever its terminal answers",
    file: `${domain}/life/before-void.ts`,
    find: "  voidFailed: callsOperator,\n  stillRunning: callsOperator,",
    replace: "  voidFailed: voids,\n  stillRunning: voids,",
  },
];
