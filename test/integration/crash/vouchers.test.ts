import { TableClient } from "@azure/data-tables";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Stack } from "../../../infra/local/stack.ts";
import { tableNames } from "../../../shared/tables/table-names.ts";
import { operatorOf } from "../../support/admin.ts";
import { approvalOf, partnerOn } from "../../support/partner.ts";
import { startTroubledStack, type TroubledStack } from "../../support/troubled-stack.ts";
import { waitFor } from "../../support/wait-for.ts";
import { webShopOn } from "../../support/web-shop.ts";

// Vouchers on the app as it is deployed: spent by many at once, and with the host killed at named places, seen from outside by
// the requests it makes to its tables.

let troubled: TroubledStack;
let stack: Stack;
beforeAll(async () => {
  troubled = await startTroubledStack({
    settings: { COMMIT_WINDOW_SECONDS: "2", LEASE_SECONDS: "2", ACCEPTANCE_SECONDS: "60", EXPIRY_SECONDS: "300" },
    queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 }, // a dead host's locks would last a minute
  });
  stack = troubled.stack;
});
afterAll(async () => troubled.stop());

const noting = (event: string) => (body: string) => body.includes(`"event":"${event}"`);
const holding = (status: string) => (body: string) =>
  body.includes(`"kind":"voucher"`) && body.includes(`"status":"${status}"`);
const cases = [
  { place: "the reservation", at: holding("reserved"), end: "captured" },
  { place: "the offer to the terminal", at: noting("voucherReserved"), end: "captured" },
  { place: "the capture", at: noting("captured"), end: "captured" },
  { place: "the redemption", at: holding("redeemed"), end: "captured" },
  { place: "giving it back", at: holding("active"), end: "voided" },
].flatMap((one) => [
  { ...one, when: "before", fate: "drop-request" as const },
  { ...one, when: "after", fate: "drop-response" as const },
]);

/** A partner's and a terminal's way with a network that fails: again, until it is answered. */
const insist = <T extends { readonly status: number } | number>(what: string, act: () => Promise<T>): Promise<T> =>
  waitFor(what, async () => {
    const answer = await act().catch(() => undefined);
    const status = typeof answer === "number" ? answer : answer?.status;
    return status !== undefined && status < 500 ? answer : undefined;
  });

/** How the operator sees a voucher. */
async function tokenOf(landingPageID: string) {
  const { shown } = operatorOf(stack.file);
  const page = await shown<{ requests: { accessTokenID: string }[] }>("landing-page", "show", landingPageID);
  const id = page.requests[0]?.accessTokenID ?? "";
  return shown<{ status: string; use?: { sessionID: string } }>("token", "show", id);
}

describe("a power cut that a voucher lives through", () => {
  it.each(cases)(
    "$when $place leaves the voucher of a payment that ends $end as that end says",
    async ({ at, fate, end }) => {
      const partner = partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }));
      const { silent } = partner;
      const { code, landingPageID } = await webShopOn(stack.file).token();
      await silent.online();
      const body = partner.request();
      const { sessionID } = body;
      await partner.pay(body);
      const message = await silent.begin(sessionID);

      const restarted = troubled.killedAt({ at, fate }).then(() => stack.startFunctions());
      const tell = (to: typeof message, type: string, more: Record<string, unknown> = {}) => {
        const reportID = crypto.randomUUID();
        const { messageID } = to;
        return insist(`the report ${type}`, () =>
          silent.client.report({ reportID, type, sessionID, messageID, ...more }),
        );
      };
      const reach = (type: string) => waitFor(type, () => silent.reach(type, sessionID).catch(() => undefined));
      const discountID = crypto.randomUUID();
      await insist("the discount", () => partner.discount({ sessionID, discountID, voucherCode: code }));
      const offered = await reach("discount");
      await tell(offered, "discountApplied");
      await tell(message, "authorized", approvalOf(offered));
      if (end === "captured") {
        await insist("the capture", () => partner.capture(body));
        await tell(await reach("capture"), "captured");
      } else {
        await insist("the void", () => partner.cancel(body));
        await tell(await reach("void"), "voided");
      }
      await restarted;

      const expected = end === "captured" ? "redeemed" : "active";
      const token = await waitFor(`a voucher that is ${expected}`, async () => {
        const seen = await tokenOf(landingPageID);
        return seen.status === expected ? seen : undefined;
      });
      expect(token.use?.sessionID).toBe(end === "captured" ? sessionID : undefined);
      expect(await partner.read(sessionID)).toMatchObject({
        status: end,
        amounts: { discounted: 50, authorized: 75.5 },
        discounts: [{ discountID, status: "applied" }],
      });
      expect(await silent.client.next(0)).toBeUndefined();
    },
    90_000,
  );
});

describe("one voucher spent on fifty terminals at the same moment", () => {
  it("is reserved for one; the others' discounts are refused, and their terminals never hear of them", async () => {
    const partners = await Promise.all(
      Array.from({ length: 50 }, async () => partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }))),
    );
    const { code, landingPageID } = await webShopOn(stack.file).token();
    const payments = await Promise.all(
      partners.map(async (partner) => {
        await partner.silent.online();
        const body = partner.request();
        expect(await partner.pay(body)).toMatchObject({ status: 202 });
        await partner.silent.begin(body.sessionID);
        return { partner, sessionID: body.sessionID };
      }),
    );

    const answers = await Promise.all(
      payments.map(({ partner, sessionID }) => partner.discount({ sessionID, voucherCode: code })),
    );
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);

    const settled = await Promise.all(
      payments.map(({ partner, sessionID }) =>
        waitFor("the discount to be decided", async () => {
          const [discount] = (await partner.read(sessionID)).discounts;
          const message = await partner.silent.client.next(0);
          if (message?.type === "discount") return { sessionID, told: true };
          return discount === undefined || discount.status === "refused" ? { sessionID, told: false } : undefined;
        }),
      ),
    );
    const told = settled.filter((payment) => payment.told);
    expect(told).toHaveLength(1);
    expect(await tokenOf(landingPageID)).toMatchObject({ status: "reserved", use: { sessionID: told[0]?.sessionID } });
  }, 90_000);
});

describe("a customer's address", () => {
  it("is nowhere in the tables once the mail is out, and the code never is", async () => {
    const shop = webShopOn(stack.file);
    const { email, code, landingPageID } = await shop.token();
    await shop.requestUntil(landingPageID, "emailed");
    const secrets = [email, code, code.replaceAll("-", "")];
    let rows = 0;
    for (const name of Object.values(tableNames)) {
      const table = TableClient.fromConnectionString(stack.file.tables, name, { allowInsecureConnection: true });
      for await (const entity of table.listEntities()) {
        const stored = JSON.stringify(entity);
        const told = secrets.filter((secret) => stored.includes(secret)).map((secret) => `${secret} in ${stored}`);
        expect(told).toEqual([]);
        rows++;
      }
    }
    expect(rows).toBeGreaterThan(0);
  });
});
