import { TableClient } from "@azure/data-tables";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tableNames } from "../../shared/stores/table-names.ts";
import { settled } from "../support/load.ts";
import { partnerOn } from "../support/partner.ts";
import type { TroubledStack } from "../support/troubled-stack.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { webShopOn } from "../support/web-shop.ts";
import { beforeAndAfter, holding, liveThrough, noting, startVoucherStack, tokenOf } from "./a-voucher.ts";

let troubled: TroubledStack;
beforeAll(async () => {
  troubled = await startVoucherStack();
});
afterAll(async () => troubled.stop());

const cuts = beforeAndAfter([
  { place: "the reservation", at: holding("reserved"), end: "captured" },
  { place: "the offer to the terminal", at: noting("voucherReserved"), end: "captured" },
]);

describe("a power cut while a voucher is reserved", () => {
  it.each(cuts)("$when $place leaves the voucher in the state of a payment that ends $end", (cut) =>
    liveThrough(troubled, cut),
  );
});

describe("one voucher used on fifty terminals at the same moment", () => {
  it("is reserved for one; the discounts of the others are refused, and their terminals never get them", async () => {
    const { stack } = troubled;
    const partners = await Promise.all(
      Array.from({ length: 50 }, async () =>
        partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }), LONG),
      ),
    );
    const { code, landingPageID } = await webShopOn(stack.file, LONG).token();
    const payments = await Promise.all(
      partners.map(async (partner) => {
        await partner.silent.online();
        const body = partner.request();
        expect(await settled(() => partner.pay(body))).toMatchObject({ status: 202 });
        await partner.silent.begin(body.sessionID);
        return { partner, sessionID: body.sessionID };
      }),
    );

    const answers = await Promise.all(
      payments.map(({ partner, sessionID }) => settled(() => partner.discount({ sessionID, voucherCode: code }))),
    );
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);

    const concluded = await Promise.all(
      payments.map(({ partner, sessionID }) =>
        waitFor(
          "the discount to be decided",
          async () => {
            const [discount] = (await settled(() => partner.send("GET", `/pos-payment/${sessionID}`))).body.discounts;
            const message = await partner.silent.client.next(0).catch(() => undefined); // a host that is ending may respond 503
            return { sessionID, discount, found: message?.type === "discount" };
          },
          { ...LONG, until: ({ discount, found }) => found || discount === undefined || discount.status === "refused" },
        ),
      ),
    );
    const found = concluded.filter((payment) => payment.found);
    expect(found).toHaveLength(1);
    expect(await tokenOf(troubled.stack.file, landingPageID)).toMatchObject({
      status: "reserved",
      use: { sessionID: found[0]?.sessionID },
    });
  });
});

describe("a customer's address", () => {
  it("is in no table once the mail was sent, and the code never is", async () => {
    const { stack } = troubled;
    const shop = webShopOn(stack.file, LONG);
    const { email, code, landingPageID } = await shop.token();
    await shop.requestUntil(landingPageID, "emailed");
    const secrets = [email, code, code.replaceAll("-", "")];
    let rows = 0;
    for (const name of Object.values(tableNames)) {
      const table = TableClient.fromConnectionString(stack.file.tables, name, { allowInsecureConnection: true });
      for await (const entity of table.listEntities()) {
        const stored = JSON.stringify(entity);
        const found = secrets.filter((secret) => stored.includes(secret)).map((secret) => `${secret} in ${stored}`);
        expect(found).toEqual([]);
        rows++;
      }
    }
    expect(rows).toBeGreaterThan(0);
  });
});
