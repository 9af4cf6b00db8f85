import { logAlerts } from "../../infra/azure/alerts.ts";
import { LONGEST_WAIT_SECONDS } from "../../infra/local/terminal/terminal-client.ts";
import { costOf, prices } from "./prices.ts";

/** What a payment and a waiting terminal cost in calls, as measured. docs/performance.md says how; a test holds the first three. */
export const measured = {
  tableCalls: 37,
  sends: 6,
  deliveries: 6,
  /** Table calls a second of a terminal that waits: `npm run bench -- idle`. */
  idleCalls: 0.18,
  /** Reads of the bells a second, of each instance in which terminals wait. */
  bellReads: 20,
} as const;

/** What is assumed beside it. */
export const assumed = {
  /** What partners and terminals send for a payment: the request, two reports, a read. */
  requests: 4,
  /** An execution, as if an instance had one at a time. */
  executionSeconds: 0.05,
  kilobytesStored: 20,
  monthsKept: 12,
  /** Lines of the log of a payment, with what the host adds to each. */
  kilobytesLogged: 15,
  instanceGigabytes: 2,
  /** As the template sets the concurrency of an instance. */
  pollsOfInstance: 200,
  requestsOfGatewayUnit: 1_000,
  /** Payments a second that the standard tier of the bus takes in the long run, and one messaging unit of the premium tier. */
  paymentsOfStandardBus: 10,
  paymentsOfPremiumUnit: 25,
  /** The busiest second of a month has so many times the average one's payments. */
  peak: 5,
} as const;

/** What an environment pays for without a payment. The test holds it to the parameter files. */
interface Standing {
  readonly gatewayUnit: number;
  /** Instances that are always ready. A plan over several zones keeps two of each scale group so, whatever the template asks for. */
  readonly ready: number;
  readonly privateEndpoints: number;
  readonly tableCall: (calls: number) => number;
  readonly stored: (gigabytes: number) => number;
}

export const environments = {
  dev: {
    gatewayUnit: costOf(prices.smallGatewayUnit, 1),
    ready: 0,
    privateEndpoints: 0,
    tableCall: (calls) => costOf(prices.tableCall, calls),
    stored: (gigabytes) => costOf(prices.storedGigabyte, gigabytes),
  },
  prod: {
    gatewayUnit: costOf(prices.gatewayUnit, 1),
    ready: 18,
    privateEndpoints: 7,
    tableCall: (calls) => costOf(prices.geoTableCall, calls),
    stored: (gigabytes) => costOf(prices.geoStoredGigabyte, gigabytes),
  },
} as const satisfies Readonly<Record<string, Standing>>;

const SECONDS = 30 * 24 * 3_600;

const parts = ["gateway", "instances", "executions", "tables", "stored", "bus", "logs", "network and alerts"] as const;
type Part = (typeof parts)[number];
export interface MonthlyCost extends Readonly<Record<Part | "all", number>> {}

/** US dollars of a month of 30 days, in which so many terminals wait all the time and so many payments are made. */
export function costOfMonth(environment: keyof typeof environments, terminals: number, payments: number): MonthlyCost {
  const standing: Standing = environments[environment];
  const polling = Math.ceil(terminals / assumed.pollsOfInstance);
  const polls = (terminals * SECONDS) / LONGEST_WAIT_SECONDS;
  const requests = polls + payments * assumed.requests;
  const executions = requests + payments * measured.deliveries;
  const units = Math.max(1, Math.ceil(requests / SECONDS / assumed.requestsOfGatewayUnit));
  const waiting = (terminals * measured.idleCalls + polling * measured.bellReads) * SECONDS;
  const gigabyteSeconds = (executions - polls) * assumed.executionSeconds * assumed.instanceGigabytes;
  const usd: Record<Part, number> = {
    gateway: units * standing.gatewayUnit + costOf(prices.gatewayCall, requests),
    instances: instancesOf(standing, polling) + costOf(prices.gigabyteSecond, gigabyteSeconds),
    executions: costOf(prices.execution, executions),
    tables: standing.tableCall(payments * measured.tableCalls + waiting),
    stored: standing.stored((payments * assumed.kilobytesStored * assumed.monthsKept) / 1e6),
    bus: busOf(payments),
    logs: costOf(prices.loggedGigabyte, (payments * assumed.kilobytesLogged) / 1e6),
    "network and alerts":
      costOf(prices.privateEndpoint, standing.privateEndpoints) + costOf(prices.logAlert, logAlerts.length),
  };
  return { ...usd, all: parts.reduce((sum, part) => sum + usd[part], 0) };
}

/** Instances that are always ready, and those in which polls are under way all month: two of the ready ones, and others beside them. */
function instancesOf({ ready }: Standing, polling: number): number {
  const month = assumed.instanceGigabytes * SECONDS;
  const inReady = ready === 0 ? 0 : Math.min(polling, 2);
  return (
    costOf(prices.readyGigabyteSecond, ready * month) +
    costOf(prices.readyExecution, inReady * month) +
    costOf(prices.gigabyteSecond, (polling - inReady) * month)
  );
}

/** The standard tier, and the premium one where the busiest second has more payments than the standard one takes. */
function busOf(payments: number): number {
  const perSecond = (payments / SECONDS) * assumed.peak;
  if (perSecond > assumed.paymentsOfStandardBus)
    return costOf(prices.premiumBusUnit, 1) * Math.ceil(perSecond / assumed.paymentsOfPremiumUnit);
  return costOf(prices.busBase, 1) + costOf(prices.busOperation, payments * (measured.sends + 2 * measured.deliveries));
}
