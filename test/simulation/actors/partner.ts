import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Result } from "../../../shared/domain/result.ts";
import { MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Platform } from "../platform/platform.ts";
import { hasOutcome, type Client } from "./client.ts";
import type { Keys } from "./keys.ts";
import { createSales, type Among, type Sale } from "./sales.ts";
import { createPartnerCalls } from "./partner-calls.ts";
import { drawOff, type Off } from "./discount-asks.ts";
import { partOf } from "./prices.ts";
import type { Plan } from "./plan.ts";
import type { Waits } from "./waits.ts";
import { drawRefundNames, nameOfKept, type RefundNames, type RefundWish } from "./refund-names.ts";

/** The partners' servers. They are impatient and persistent, and send contradicting requests. */
export interface Partner {
  /** Carries out a plan: requests the payment, and perhaps cancels, captures and refunds it, at any time. */
  carryThrough(plan: Plan): void;
  /** Requests once. True if the response acknowledged the payment. */
  requestOnce(plan: Plan): Promise<boolean>;
  cancelOnce(plan: Plan): Promise<unknown>;
  /** After a restore callers repeat the sales that they had requested under a key. */
  repeatSales(): void;
  /** Refunds one minor unit of a payment, perhaps weeks after it. */
  refundLate(plan: Plan): Promise<void>;
  /** Refunds a small part of a payment under a new name. Resolves with the withdrawal of that refund. */
  refundForNow(plan: Plan, deliverWithinSeconds: number | undefined): Promise<() => Promise<void>>;
  /** Captures a payment hours after its approval. */
  captureLate(plan: Plan): Promise<void>;
  /** Refunds a part of a payment hours or days after it. */
  returnLate(plan: Plan): Promise<void>;
  /** Reads the outcome of a request that was in doubt. */
  findOut(plan: Plan): Promise<void>;
}

interface Surroundings extends Among {
  readonly platform: Platform;
  readonly keys: Keys;
  readonly waits: Waits;
}

export function createPartner(
  world: World,
  client: Client,
  { platform, keys, waits, ...among }: Surroundings,
): Partner {
  const { agenda, random, isLucky } = world;
  const calls = createPartnerCalls(world, client, platform, keys);
  const { request, cancel, refund, read } = calls;
  const { insist } = client;
  const saleOf = createSales(world, keys, among);
  const sales: Sale[] = [];

  /** All payments use the voucher within the same second. */
  const isRush = random.chance(0.1);
  const { cancelling, capturing, returningLate, refunding, discounting } = createChanges(world, client, calls, {
    keys,
    waits,
  });

  async function requesting(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    const sale = saleOf(plan);
    sales.push(sale);
    const once = async (tried: Plan) => {
      const answer = await request(tried);
      sale.learned(answer);
      return answer;
    };
    for (const ms of sale.repeatedAfter) void repeating(sale, ms);
    await insist(() => once(sale.next()), {
      times: isLucky ? 15 : random.pick(1, 4, 15),
      pause: () => random.between(200, random.chance(0.3) ? MINUTE : 8 * SECOND),
      enough: sale.isOver,
    });
  }

  /** A caller requests its sale once more, mostly as a new session. It captures it if that is accepted. */
  async function repeating(sale: Sale, start: number): Promise<void> {
    await agenda.sleep(start);
    const plan = sale.again();
    await insist(() => request(plan), { times: 3, pause: () => soon(world) });
    if (plan.known.acknowledged) await capturing(plan, MINUTE);
  }

  return {
    carryThrough(plan) {
      // Many at once, for races within milliseconds; or one after the other, so that one affects the next.
      const within = random.pick(30, 30, 100, 6 * MINUTE, 6 * MINUTE);
      const start = random.between(0, isRush ? 100 : isLucky ? 20 * MINUTE : within);
      void requesting(plan, start);
      const around = random.between(-200, random.pick(1, 5, 60, 200) * SECOND);
      if (random.chance(isLucky ? 0.05 : 0.35)) void cancelling(plan, Math.max(0, start + around));
      if (isRush) void discounting(plan, start + random.between(500, 1_000), "voucher");
      for (let discounts = isRush ? 0 : random.pick(0, 0, 0, 1, 2); discounts > 0; discounts--)
        void discounting(plan, start + random.between(0, 20 * SECOND), drawOff(random, plan));
      if (random.chance(isLucky ? 1 : 0.5) && !waits.isCapturedLate())
        void capturing(plan, start + random.between(5, 60) * SECOND);
      for (let more = random.pick(0, 0, 0, 1, 3); more > 0; more--)
        void capturing(plan, start + random.between(20, random.pick(240, 900)) * SECOND);
      if (random.chance(isLucky ? 0 : 0.1)) void cancelling(plan, start + random.between(60, 300) * SECOND);
      if (random.chance(0.15)) agenda.after(start + random.between(0, 10 * MINUTE), () => void read(plan));
      if (random.chance(isLucky ? 0.8 : 0.4)) void refunding(plan, start + random.between(20, 180) * SECOND);
    },
    repeatSales() {
      for (const sale of sales) for (const ms of sale.repeatedAfterRestore()) void repeating(sale, ms);
    },
    cancelOnce: (plan) => cancel(plan),
    async refundLate(plan) {
      const refundId = nameOfKept(`weeks-${plan.sessionId}`);
      await insist(() => refund(plan, { refundId }, 1), { times: 6, pause: () => soon(world), enough: isPossible });
    },
    refundForNow: createRefundsForNow(world, client, calls),
    captureLate: (plan) => capturing(plan, 0),
    returnLate: returningLate,
    requestOnce: async (plan) => (await request(plan))?.ok === true,
    async findOut(plan) {
      const { known, sessionId } = plan;
      const found = await read(plan);
      if (!found) return world.violate("a read failed after the faults", sessionId);
      if (found.ok) known.acknowledged = true;
      else known.ruledOut = true;
    },
  };
}

/** A pause of some seconds. */
const soon = ({ random }: World) => random.between(SECOND, 20 * SECOND);
const isPossible = (answer: Result<unknown, Refusal>) =>
  hasOutcome(answer) && (answer.ok || answer.error.code !== "invalid_state");

const createRefundsForNow =
  (
    { newId }: World,
    { insist }: Client,
    { refund, withdraw }: ReturnType<typeof createPartnerCalls>,
  ): Partner["refundForNow"] =>
  async (plan, deliverWithinSeconds) => {
    const refundId = nameOfKept(newId());
    const often = { times: 10, pause: () => SECOND };
    const amount = partOf(plan.request.amount, 0.03);
    await insist(() => refund(plan, { refundId, deliverWithinSeconds }, amount), { ...often, enough: isPossible });
    return () => insist(() => withdraw(plan, refundId), often);
  };

/** A partner's changes of a requested payment. Each waits for its start, and repeats its call until it has an outcome. */
function createChanges(
  world: World,
  { insist }: Client,
  { cancel, capture, refund, withdraw, discount }: ReturnType<typeof createPartnerCalls>,
  { keys, waits }: Pick<Surroundings, "keys" | "waits">,
) {
  const { agenda, random } = world;

  async function cancelling(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    const key = keys.ofChange();
    await insist(() => cancel(plan, key), { times: 60, pause: () => soon(world) });
  }

  async function capturing(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    const isAutomatic = plan.request.captureMode === "automatic";
    const part = partOf(plan.request.amount, 0.8);
    const amount = random.chance(isAutomatic ? 0.1 : 1 / 3) ? part : undefined;
    const pause = () => random.between(5, 60) * SECOND;
    const wish = { idempotencyKey: keys.ofChange(), deliverWithinSeconds: waits.ofCapture() };
    const again = wish.idempotencyKey === undefined ? undefined : keys.repeatedAfter();
    if (again !== undefined) agenda.after(again, () => void capture(plan, amount, wish));
    const cancelledAfter = waits.cancelledAfter();
    if (cancelledAfter !== undefined) void cancelling(plan, cancelledAfter);
    await insist(() => capture(plan, amount, wish), { times: 8, pause, enough: isPossible });
  }

  async function refunding(plan: Plan, start: number): Promise<void> {
    await agenda.sleep(start);
    for (const part of random.pick([0.4], [1], [0.56, 0.56], [0.16, 0.16, 0.4], [0.4, 0.16, 0.16, 0.16])) {
      await returning(plan, part, drawRefundNames(random, [...plan.known.refundIds]));
    }
  }

  /** Refunds a part of a payment. Perhaps the partner then withdraws the refund, or requests an equal one. */
  async function returning(plan: Plan, part: number, named: RefundNames): Promise<void> {
    const amount = partOf(plan.request.amount, part);
    const isNamed = (named.refundId ?? named.idempotencyKey) !== undefined;
    const wish = { ...named, deliverWithinSeconds: waits.ofRefund(isNamed) };
    const pause = () => random.between(5, 90) * SECOND;
    const returned = insist(() => refund(plan, wish, amount), { times: 6, pause, enough: isPossible });
    for (const ms of waits.withdrawnAfter()) void withdrawing(plan, named, ms);
    const repeatedAfter = waits.repeatedAfter();
    if (repeatedAfter !== undefined) void repeatingRefund(plan, wish, { amount, after: repeatedAfter });
    await returned;
  }

  /** Refunds a small part, mostly under a new name. */
  function returningLate(plan: Plan): Promise<void> {
    const isNew = waits.fate.chance(0.7);
    const named = isNew
      ? { refundId: nameOfKept(world.newId()) }
      : drawRefundNames(waits.fate, [...plan.known.refundIds]);
    return returning(plan, waits.fate.pick(0.16, 0.1, 0.05), named);
  }

  async function withdrawing(plan: Plan, { refundId }: RefundWish, after: number): Promise<void> {
    await agenda.sleep(after);
    const target = refundId ?? [...plan.known.refundIds].at(-1);
    if (target === undefined) return;
    const key = keys.ofChange();
    await insist(() => withdraw(plan, target, key), { times: 6, pause: () => soon(world) });
  }

  /** Requests an equal refund under another name, as another one or as a careless repetition. */
  async function repeatingRefund(
    plan: Plan,
    { deliverWithinSeconds }: RefundWish,
    { amount, after }: { readonly amount: number; readonly after: number },
  ): Promise<void> {
    await agenda.sleep(after);
    const confirmDuplicate = waits.fate.pick(undefined, false, true);
    const wish = { refundId: nameOfKept(world.newId()), deliverWithinSeconds, confirmDuplicate };
    await insist(() => refund(plan, wish, amount), { times: 6, pause: () => soon(world), enough: isPossible });
  }

  async function discounting(plan: Plan, start: number, off: Off): Promise<void> {
    await agenda.sleep(start);
    const discountId = world.newId();
    await insist(() => discount(plan, discountId, off), { times: 4, pause: () => soon(world) });
  }

  return { cancelling, capturing, returningLate, refunding, discounting };
}
