import type { PaymentListObject } from "../../../../shared/contracts/objects/payment-list.ts";
import { authorizedPayment, tippedPayment } from "./samples.ts";

export const samplePaymentList: PaymentListObject = {
  payments: [authorizedPayment, tippedPayment],
  next: "WzEsIllHd2RvTzV2U3lFIiwiMjAyNi0xMS0yMVQxMDozMDowMC4wMDBaIiwiIl0",
};
