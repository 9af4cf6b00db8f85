import type { Group } from "../command.ts";
import { listPayments } from "./payment-list.ts";
import { resolvePayment } from "./payment-resolve.ts";
import { showPayment, showTimeline } from "./payment-show.ts";
import { whyPayment } from "./payment-why.ts";

export const payment: Group = {
  name: "payment",
  does: "payments: their state, their history and their money",
  commands: [listPayments, showPayment, showTimeline, whyPayment, resolvePayment],
};
