import { expect, it } from "vitest";
import { cardsIn } from "../../chaos/cards.ts";
import type { TerminalAction } from "../../chaos/terminal.ts";

const charged: TerminalAction = {
  sessionID: "s",
  messageID: "m1",
  cause: "payment",
  outcome: "authorized",
  chargeID: "c",
  refundID: undefined,
  amount: 100,
  isCaptured: false,
};
const captured: TerminalAction = { ...charged, messageID: "m2", cause: "capture", outcome: "captured", amount: 80 };
const voided: TerminalAction = { ...charged, messageID: "m3", cause: "void", outcome: "voided", amount: undefined };
const refunded: TerminalAction = {
  ...captured,
  messageID: "m4",
  cause: "refund",
  outcome: "refunded",
  refundID: "R",
  amount: 40,
};
const byAcquirer = (action: TerminalAction): TerminalAction => ({ ...action, messageID: undefined, cause: "operator" });

it.each<[string, readonly TerminalAction[], object]>([
  ["holds what was authorized", [charged], { amount: 10_000, taken: 0, givenBack: false }],
  ["has what was captured at once", [{ ...charged, isCaptured: true }], { taken: 10_000 }],
  ["has what was captured", [charged, captured], { taken: 8_000, givenBack: false }],
  ["gives back what was voided", [charged, voided], { givenBack: true }],
  ["has each refund once", [charged, captured, refunded, refunded], { refunds: new Map([["r", 4_000]]) }],
  ["is not charged again by a repetition", [charged, voided, charged], { givenBack: true }],
  ["is not captured again by a repetition", [charged, captured, voided, captured], { givenBack: true }],
  ["is not voided by the repetition of a void", [charged, voided, byAcquirer(captured), voided], { givenBack: false }],
  ["is captured by the acquirer", [charged, byAcquirer({ ...captured, amount: 100 })], { taken: 10_000 }],
  ["is given back by the acquirer", [charged, captured, byAcquirer(voided)], { givenBack: true }],
  [
    "is captured by a terminal after the acquirer let go of it",
    [charged, byAcquirer(voided), captured],
    { taken: 8_000, givenBack: false },
  ],
])("a card %s", (_, actions, expected) => {
  const cards = cardsIn("s", actions);
  expect(cards).toHaveLength(1);
  expect(cards[0]).toMatchObject(expected);
});

it("shows only the cards of its session", () => {
  expect(cardsIn("another", [charged])).toEqual([]);
});

it("books a refund that names no charge on the card that was captured", () => {
  const other = { ...charged, chargeID: "other" };
  const cards = cardsIn("s", [other, charged, captured, { ...refunded, chargeID: undefined }]);
  expect(cards.map(({ chargeId, refunds }) => [chargeId, refunds.size])).toEqual([
    ["other", 0],
    ["c", 1],
  ]);
});
