import { type Mutant } from "./mutant.ts";

/** Rules of the inbox: which messages are delivered, and when they are concluded. */
export const inboxMutants: readonly Mutant[] = [
  {
    name: "hands out a payment after its cancel or status query",
    file: "shared/domain/terminal-inbox.ts",
    find: "!(isExpired(entry, now) || isCalledOff(entry, entries))",
    replace: "!isExpired(entry, now)",
  },
  {
    name: "hands out a payment after its expiry",
    file: "shared/domain/terminal-inbox.ts",
    find: "!(isExpired(entry, now) || isCalledOff(entry, entries))",
    replace: "!isCalledOff(entry, entries)",
  },
  {
    name: "acknowledges only the message that a report names",
    file: "shared/domain/payment/reports/answered.ts",
    find: "const [meant] = kinds.flatMap(",
    replace: "const [meant] = kinds.slice(9).flatMap(",
  },
  {
    name: "leaves a payment in the inbox after its cancel is answered",
    file: "shared/domain/payment/reports/answered.ts",
    find: 'if (message.type === "payment") return isBegunOrOver;',
    replace: 'if (message.type === "payment") return false;',
  },
  {
    name: "hands out a message again that a report under a used identifier answers",
    file: "shared/use-cases/payments/record-report.ts",
    find: "if (known && !isOther(known.said, sent)) return",
    replace: "if (known) return",
  },
];
