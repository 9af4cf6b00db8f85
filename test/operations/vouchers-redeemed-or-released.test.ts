import { afterAll, beforeAll, describe, it } from "vitest";
import type { TroubledStack } from "../support/troubled-stack.ts";
import { beforeAndAfter, holding, liveThrough, noting, startVoucherStack } from "./a-voucher.ts";

let troubled: TroubledStack;
beforeAll(async () => {
  troubled = await startVoucherStack();
});
afterAll(async () => troubled.stop());

const cuts = beforeAndAfter([
  { place: "the capture", at: noting("captured"), end: "captured" },
  { place: "the redemption", at: holding("redeemed"), end: "captured" },
  { place: "giving it back", at: holding("active"), end: "voided" },
]);

describe("a power cut while a voucher is redeemed or released", () => {
  it.each(cuts)("$when $place leaves the voucher in the state of a payment that ends $end", (cut) =>
    liveThrough(troubled, cut),
  );
});
