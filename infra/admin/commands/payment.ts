import type { Group } from "../command.ts";
import { listPayments } from "./payment-list.ts";
import { resolvePayment } from "./payment-resolve.ts";

export const payment: Group = {
  name: "payment",
  does: "payments: which are not done, and what became of their money",
  commands: [listPayments, resolvePayment],
};
