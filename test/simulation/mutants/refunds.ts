import { type Mutant } from "./mutant.ts";

/** Rules of refunds: one namespace of names, and one command for each. */
export const refundMutants: readonly Mutant[] = [
  {
    name: "does not know a refund by the refundID of its answer",
    file: "shared/domain/payment/refund.ts",
    find: "name === refundId || names.includes(name)",
    replace: "names.includes(name)",
  },
  {
    name: "takes another spelling for another refund",
    file: "shared/domain/payment/refund.ts",
    find: "const names = [refundId?.toLowerCase(), ",
    replace: "const names = [refundId, ",
  },
  {
    name: "forgets the key that came with a refundID",
    file: "shared/domain/payment/refund.ts",
    find: "names: names.filter((name) => name !== undefined),",
    replace: "names: names.filter((name) => name !== undefined).slice(0, 1),",
  },
  {
    name: "replays a refund for whatever comes under its name",
    file: "shared/domain/payment/refund.ts",
    find: "return isSame(meant, request) ?",
    replace: "return meant ?",
  },
  {
    name: "lets a new name pass beside a known one",
    file: "shared/domain/payment/refund.ts",
    find: "if (others.some((other) => other !== meant)) {",
    replace: "if (others.some((other) => other && meant && other !== meant)) {",
  },
  {
    name: "takes every refund without a name for a new one",
    file: "shared/domain/payment/refund.ts",
    find: "if (!like) return undefined;",
    replace: "return undefined;",
  },
  {
    name: "takes a report for the first refund that is pending",
    file: "shared/domain/payment/reports.ts",
    find: "refunds.find((r) => r.commandId === messageId) ??",
    replace: 'refunds.find((r) => messageId && r.status === "pending") ??',
  },
];
