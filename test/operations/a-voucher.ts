import { expect } from "vitest";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { operatorOf } from "../support/admin.ts";
import { partnerOn } from "../support/partner.ts";
import { startTroubledStack, type PowerCut, type TroubledStack } from "../support/troubled-stack.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { webShopOn } from "../support/web-shop.ts";

// A voucher's way through a payment on the app as it is deployed, with the host killed at a named place. The test recognizes the place by
// the host's requests to its tables.

export const startVoucherStack = (): Promise<TroubledStack> =>
  startTroubledStack({
    settings: { COMMIT_WINDOW_SECONDS: "2", LEASE_SECONDS: "2", ACCEPTANCE_SECONDS: "60", EXPIRY_SECONDS: "300" },
    queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 }, // a dead host keeps its locks
  });

export interface VoucherCut extends PowerCut {
  readonly end: "captured" | "voided";
}

export const noting = (event: string) => (body: string) => body.includes(`"event":"${event}"`);
export const holding = (status: string) => (body: string) =>
  body.includes(`"kind":"voucher"`) && body.includes(`"status":"${status}"`);

/** Each place twice: once its write does not happen, and once its response is lost. */
export const beforeAndAfter = <Place extends Omit<VoucherCut, "fate">>(places: readonly Place[]) =>
  places.flatMap((place) => [
    { ...place, when: "before", fate: "drop-request" as const },
    { ...place, when: "after", fate: "drop-response" as const },
  ]);

/** Calls of a partner and a terminal on a failing network. Each is repeated until it gets a response. */
const insist = <T extends { readonly status: number } | number>(what: string, act: () => Promise<T>): Promise<T> =>
  waitFor(what, () => act().catch(() => undefined), {
    ...LONG,
    until: (answer) => (typeof answer === "number" ? answer : answer.status) < 500,
  });

/** A voucher as the operator sees it. */
export async function tokenOf(file: StackFile, landingPageID: string) {
  const { shown } = operatorOf(file);
  const page = await shown<{ requests: { accessTokenID: string }[] }>("landing-page", "show", landingPageID);
  const id = page.requests[0]?.accessTokenID ?? "";
  return shown<{ status: string; use?: { sessionID: string } }>("token", "show", id);
}

/** A payment with a voucher, from its request to its end. The host dies at the place, and another one is started. */
export async function liveThrough(troubled: TroubledStack, { at, fate, end }: VoucherCut): Promise<void> {
  const { stack } = troubled;
  const partner = partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }), LONG);
  const { silent } = partner;
  const { code, landingPageID } = await webShopOn(stack.file, LONG).token();
  await silent.online();
  const body = partner.request();
  const { sessionID } = body;
  await partner.pay(body);
  const message = await silent.begin(sessionID);

  const restarted = troubled.killedAt({ at, fate }).then(() => stack.startFunctions());
  const sendReport = (to: typeof message, type: string, more: Record<string, unknown> = {}) => {
    const reportID = crypto.randomUUID();
    return insist(`the report ${type}`, () => silent.sendReport(to, type, { reportID, ...more }));
  };
  const reach = (type: string) => waitFor(type, () => silent.reach(type, sessionID).catch(() => undefined), LONG);
  const discountID = crypto.randomUUID();
  await insist("the discount", () => partner.discount({ sessionID, discountID, voucherCode: code }));
  const offered = await reach("discount");
  await sendReport(offered, "discountApplied");
  await sendReport(message, "authorized", { amount: offered.totalAmountInclVat });
  if (end === "captured") {
    await insist("the capture", () => partner.capture(body));
    await sendReport(await reach("capture"), "captured");
  } else {
    await insist("the void", () => partner.cancel(body));
    await sendReport(await reach("void"), "voided");
  }
  await restarted;

  const expected = end === "captured" ? "redeemed" : "active";
  const token = await waitFor(`a voucher that is ${expected}`, () => tokenOf(stack.file, landingPageID), {
    ...LONG,
    until: ({ status }) => status === expected,
  });
  expect(token.use?.sessionID).toBe(end === "captured" ? sessionID : undefined);
  expect(await partner.read(sessionID)).toMatchObject({
    status: end,
    amounts: { discounted: 50, authorized: 75.5 },
    discounts: [{ discountID, status: "applied" }],
  });
  expect(await silent.client.next(0)).toBeUndefined();
}
