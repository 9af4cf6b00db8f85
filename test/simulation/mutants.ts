import { actionMutants } from "./mutants/actions.ts";
import { alertMutants } from "./mutants/alerts.ts";
import { amountMutants } from "./mutants/amounts.ts";
import { bookMutants } from "./mutants/books.ts";
import { chargeMutants } from "./mutants/charges.ts";
import { feedMutants } from "./mutants/feed.ts";
import { contradictionMutants } from "./mutants/contradictions.ts";
import { dayMutants } from "./mutants/days.ts";
import { inboxMutants } from "./mutants/inbox.ts";
import { keyMutants } from "./mutants/keys.ts";
import { listMutants } from "./mutants/lists.ts";
import { markMutants } from "./mutants/marks.ts";
import { moneyMutants } from "./mutants/money.ts";
import { operatorMutants } from "./mutants/operators.ts";
import { orderMutants } from "./mutants/orders.ts";
import { partnerMutants } from "./mutants/partners.ts";
import { protocolMutants } from "./mutants/protocol.ts";
import { refundMutants } from "./mutants/refunds.ts";
import { restoreMutants } from "./mutants/restore.ts";
import { tokenMutants } from "./mutants/tokens.ts";
import { tipMutants } from "./mutants/tips.ts";
import { terminalMutants } from "./mutants/terminals.ts";
import { waitMutants } from "./mutants/waits.ts";
import { notificationMutants } from "./mutants/notifications.ts";

export type { Mutant } from "./mutants/mutant.ts";

/** Each mutant breaks one rule that the design needs. The simulation must catch every mutant. */
export const mutants = [
  ...protocolMutants,
  ...inboxMutants,
  ...moneyMutants,
  ...amountMutants,
  ...chargeMutants,
  ...refundMutants,
  ...waitMutants,
  ...contradictionMutants,
  ...orderMutants,
  ...partnerMutants,
  ...keyMutants,
  ...notificationMutants,
  ...feedMutants,
  ...actionMutants,
  ...tokenMutants,
  ...terminalMutants,
  ...alertMutants,
  ...operatorMutants,
  ...markMutants,
  ...listMutants,
  ...restoreMutants,
  ...dayMutants,
  ...bookMutants,
  ...tipMutants,
];
