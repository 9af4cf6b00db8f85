import type { PaymentListObject } from "../../../../shared/contracts/objects/payment-list.ts";
import { authorizedPayment } from "./samples.ts";

export const samplePaymentList: PaymentListObject = {
  payments: [authorizedPayment],
  next: "WzEsIllHd2RvTzV2U3lFIiwiMjAyNi0xMS0yMVQxMDozMDowMC4wMDBaIiwiIl0",
};
