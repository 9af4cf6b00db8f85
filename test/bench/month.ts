import { costOf, prices } from "./prices.ts";

/** The cost of payments and waiting, in calls. */
interface Rates {
  /** For one payment with its webhooks and deadlines. */
  readonly tableCalls: number;
  /** Sends, receives and completions. */
  readonly busOperations: number;
  /** Runs of workers. Requests and polls are added. */
  readonly deliveries: number;
  /** Table calls a second of a terminal that waits. */
  readonly idleCalls: number;
  /** Table calls a second of an instance in which terminals wait. */
  readonly instanceCalls: number;
  /** The duration of an empty poll. */
  readonly pollSeconds: number;
}

/** A fleet, and the assumptions about it. */
interface Fleet {
  readonly terminals: number;
  readonly paymentsPerDay: number;
  /** The polls that one instance can hold. */
  readonly terminalsPerInstance: number;
  readonly instanceGigabytes: number;
  /** The rows that a payment leaves in the tables. */
  readonly kilobytesPerPayment: number;
  readonly monthsKept: number;
}

const DAYS = 30;
const SECONDS = DAYS * 24 * 3600;
/** With fewer, no instance would run while one is being replaced. */
const LEAST_INSTANCES = 2;
/** The request and two reports; the fetch is a poll. */
const REQUESTS_OF_PAYMENT = 3;
const REQUESTS_A_UNIT_TAKES = 1_000;

export interface Month {
  readonly payments: number;
  readonly tableCalls: number;
  readonly busOperations: number;
  readonly executions: number;
  readonly instances: number;
  /** US dollars, by the paid service. */
  readonly usd: Readonly<Record<"tableCalls" | "stored" | "bus" | "executions" | "memory" | "gateway" | "all", number>>;
}

/** The cost of a month of 30 days. Instances are paid for all month, because a poll always runs in each. */
export function monthOf(rates: Rates, fleet: Fleet): Month {
  const payments = fleet.terminals * fleet.paymentsPerDay * DAYS;
  const instances = Math.max(LEAST_INSTANCES, Math.ceil(fleet.terminals / fleet.terminalsPerInstance));
  const polls = (fleet.terminals * SECONDS) / rates.pollSeconds;
  const waiting = (fleet.terminals * rates.idleCalls + instances * rates.instanceCalls) * SECONDS;
  const tableCalls = payments * rates.tableCalls + waiting;
  const busOperations = payments * rates.busOperations;
  const requests = polls + payments * REQUESTS_OF_PAYMENT;
  const executions = requests + payments * rates.deliveries;
  const units = Math.ceil(requests / SECONDS / REQUESTS_A_UNIT_TAKES);
  const stored = (payments * fleet.monthsKept * fleet.kilobytesPerPayment) / 1e6;
  const parts = {
    tableCalls: costOf(prices.tableCall, tableCalls),
    stored: costOf(prices.storedGigabyte, stored),
    bus: costOf(prices.busBase, 1) + costOf(prices.busOperation, busOperations),
    executions: costOf(prices.execution, executions),
    memory: costOf(prices.gigabyteSecond, instances * fleet.instanceGigabytes * SECONDS),
    gateway: costOf(prices.gatewayUnit, units) + costOf(prices.gatewayCall, requests),
  };
  const all = Object.values(parts).reduce((sum, usd) => sum + usd, 0);
  return { payments, tableCalls, busOperations, executions, instances, usd: { ...parts, all } };
}
