import { actionSubject } from "./action-requests/action-subject.ts";
import type { Subjects } from "./outbox/subject.ts";
import { paymentSubject } from "./payments/payment-subject.ts";
import { daySubject } from "./terminal-days/day-subject.ts";
import { tokenRequestSubject } from "./vouchers/token-request-subject.ts";

type Stores = Parameters<typeof paymentSubject>[0] &
  Parameters<typeof actionSubject>[0] &
  Parameters<typeof tokenRequestSubject>[0] &
  Parameters<typeof daySubject>[0];

/** The rules of every kind of subject on these stores. The compiler reports a missing kind. */
export const subjectsOn = (stores: Stores): Subjects => ({
  payment: paymentSubject(stores),
  actionRequest: actionSubject(stores),
  tokenRequest: tokenRequestSubject(stores),
  terminalDay: daySubject(stores),
});
