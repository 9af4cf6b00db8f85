import { ASKS_TIPS, type TipChoices, type TipQuestion } from "../../../shared/domain/payment/record/tip.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { SelfDescription } from "../../../shared/domain/device.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import type { Word } from "./judgement.ts";
import { partOf, toMajor } from "./prices.ts";

// Tips, of which most terminals can ask. Their draws are apart, so that they do not change other draws.

/** Tips are asked for in three of ten payments. The other worlds have no terminal that describes itself. */
const TIPPED_WORLDS = 0.4;
const TIPPED = 0.75;
const ASKING = 0.6;
/** The most that a tip can be, in percent of the amount to pay. */
export const MAXIMUM_PERCENT = 30;

const hasTips = ({ fateOf }: World): boolean => fateOf("tips").chance(TIPPED_WORLDS);

/** Whether a terminal has the ability to ask. */
export const canAsk = (world: World, terminalId: string): boolean =>
  hasTips(world) && world.fateOf(`${terminalId} asks for tips`).chance(ASKING);

/** A terminal's description of itself. Undefined in worlds without tips. */
export const descriptionOf = (world: World, terminalId: string): SelfDescription | undefined =>
  hasTips(world) ? { device: undefined, can: canAsk(world, terminalId) ? [ASKS_TIPS] : [] } : undefined;

/** The question of a session. Undefined for most sessions. */
export function drawQuestion(world: World, sessionId: string, amount: number): TipQuestion | undefined {
  const fate = world.fateOf(`tip of ${sessionId}`);
  if (!hasTips(world) || !fate.chance(TIPPED)) return undefined;
  const amounts = [partOf(amount, 0.1), partOf(amount, 0.5)];
  return { percents: [10, 15], amounts, custom: true, maximumPercent: MAXIMUM_PERCENT };
}

/** A percentage of an amount, rounded half up. */
export const percentageOf = (amount: number, percent: number): number => Math.floor((amount * percent * 2 + 100) / 200);

/** A tip as the customer gives it, and as the terminal names it. Minor units. */
export interface GivenTip {
  readonly tip: number;
  readonly tipAmount: number | undefined;
}

/** Draws the customer's tip at a terminal. A perfect terminal names it, and takes no more than the maximum. */
export function drawTip(
  world: World,
  sessionId: string,
  {
    asked,
    total,
    isPerfect,
  }: { readonly asked: TipChoices | undefined; readonly total: number; readonly isPerfect: boolean },
): GivenTip {
  const fate = world.fateOf(`tip given for ${sessionId}`);
  const isTooMuch = !isPerfect && hasTips(world) && fate.chance(0.2);
  if (!asked) return isTooMuch ? { tip: 1, tipAmount: fate.pick(1, undefined) } : untipped;
  const { maximum, amounts, percents } = asked;
  world.faultPlan.meet(isTooMuch ? "tip above the maximum" : "tip asked for");
  const choices = [
    0,
    maximum,
    fate.between(1, maximum),
    ...amounts,
    ...percents.map((one) => percentageOf(total, one)),
  ];
  const tip = isTooMuch ? maximum + 1 : fate.pick(0, ...choices);
  return { tip, tipAmount: isPerfect ? tip : fate.pick(tip, tip, tip, undefined, tip + 1) };
}
const untipped: GivenTip = { tip: 0, tipAmount: undefined };

/** Reports a question that a terminal must not get, or with other choices than the partner requested for the amount to pay. */
export function checkQuestion(world: World, terminalId: string, asked: TipChoices | undefined, total: number): void {
  if (!asked) return;
  const { maximum, amounts } = asked;
  if (!canAsk(world, terminalId)) world.violate("a terminal that cannot ask gets the question for a tip", terminalId);
  if (maximum !== percentageOf(total, MAXIMUM_PERCENT) || amounts.some((amount) => amount > maximum))
    world.violate("the question for a tip has a wrong maximum", `${terminalId}: ${maximum} for ${total}`);
}

/** The operator's word with the tip that the card has, if the operator must name it. */
export function withTip(ledger: CardLedger, { sessionId, tip, amounts, currency }: Payment, word: Word): Word {
  if (!tip?.asked || word.of !== "payment" || word.outcome !== "paid" || word.amount === undefined) return word;
  const isMeant = (minor: number) => toMajor(minor, currency) === word.amount;
  const cards = ledger.chargesOf(sessionId);
  const card = cards.find((one) => (word.chargeId === undefined ? isMeant(one.taken) : one.chargeId === word.chargeId));
  const taken = card?.taken ?? 0;
  const known = card?.tip === undefined ? undefined : Math.max(0, taken - (card.amount - card.tip));
  const payable = amounts.requested - amounts.discounted;
  return { ...word, tip: toMajor(known ?? Math.max(0, taken - payable), currency) };
}
