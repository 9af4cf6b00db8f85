import { type Mutant } from "./mutant.ts";

/** Rules of refunds: one namespace of names, and one command for each. */
export const refundMutants: readonly Mutant[] = [
  {
    name: "does not recognise a refund by the refundID of its response",
    file: "shared/domain/payment/requests/repeated-refund.ts",
    find: "name === refundId || names.includes(name)",
    replace: "names.includes(name)",
  },
  {
    name: "treats another letter case as another refund",
    file: "shared/domain/payment/requests/refund-request.ts",
    find: "[refundId?.toLowerCase(), idempotencyKey",
    replace: "[refundId, idempotencyKey",
  },
  {
    name: "does not store the key that came with a refundID",
    file: "shared/domain/payment/requests/refund-request.ts",
    find: "names: namesOf({ refundId, idempotencyKey }),",
    replace: "names: namesOf({ refundId, idempotencyKey }).slice(0, 1),",
  },
  {
    name: "replays a refund for a different request under its name",
    file: "shared/domain/payment/requests/repeated-refund.ts",
    find: "isSame(meant, request) && (seconds",
    replace: "request.names.length > 0 && (seconds",
  },
  {
    name: "accepts a new name together with a known one",
    file: "shared/domain/payment/requests/repeated-refund.ts",
    find: "if (others.some((other) => other !== meant)) {",
    replace: "if (others.some((other) => other && meant && other !== meant)) {",
  },
  {
    name: "treats every unnamed refund as a new one",
    file: "shared/domain/payment/requests/repeated-refund.ts",
    find: "if (!like) return undefined;",
    replace: "if (!like || like.refundId.length > 0) return undefined;",
  },
  {
    name: "replays an unnamed refund that was made",
    file: "shared/domain/payment/requests/repeated-refund.ts",
    find: 'if (like.status === "pending") return ok("unchanged");',
    replace: 'if (like.status !== "failed") return ok("unchanged");',
  },
  {
    name: "applies a report to the first pending refund",
    file: "shared/domain/payment/reports/refund-reports.ts",
    find: ".find((r) => (refundId === undefined ? r.commandId === messageId : r.refundId === refundId));",
    replace: '.find((r) => r.status === "pending" || r.refundId === refundId);',
  },
];
