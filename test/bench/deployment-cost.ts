import { workers } from "../../functions/workers.ts";
import { logAlerts, metricAlerts } from "../../infra/azure/alerts.ts";
import { LONGEST_WAIT_SECONDS } from "../../packages/terminal/simulated/terminal-client.ts";
import { costOf, prices } from "./prices.ts";

/**
 * The measured calls of a payment and of a waiting terminal. docs/performance.md describes the measurement. A test checks the first three.
 */
export const measured = {
  tableCalls: 22,
  sends: 4,
  deliveries: 4,
  /** Table calls a second of a waiting terminal: `npm run bench -- idle`. */
  idleCalls: 0.18,
  /** Reads of the bells a second, of each instance in which terminals wait. */
  bellReads: 20,
  /** The size of a payment in an export: `npm run bench -- backup`. */
  kilobytesExported: 7.7,
} as const;

/** Assumptions in addition to the measured values. */
export const assumed = {
  /** The requests of partners and terminals for a payment: the payment request, two reports, a read. */
  requests: 4,
  /** The duration of an execution, as if an instance ran one at a time. */
  executionSeconds: 0.05,
  kilobytesStored: 20,
  monthsKept: 12,
  /** Log lines of a payment, with what the host adds to each. */
  kilobytesLogged: 10,
  /** A call as Application Insights stores it: for the host, the gateway and the availability test. */
  kilobytesOfCall: 1.5,
  /** The host's own log, for each instance and day. */
  idleMegabytesLogged: 10,
  instanceGigabytes: 2,
  /** The concurrency of an instance that the template sets. */
  pollsOfInstance: 200,
  requestsOfGatewayUnit: 1_000,
  /** Payments a second that the standard tier of the bus can sustain, and those that one messaging unit of the premium tier can. */
  paymentsOfStandardBus: 10,
  paymentsOfPremiumUnit: 25,
  /** Payments in the busiest second of a month, as a multiple of the average. */
  peak: 5,
} as const;

/** Numbers that both environments share, from host.json and the template of the alerts. A test compares them. */
export const everywhere = {
  /** Logged calls a second of each instance. */
  callsKept: 1,
  webTest: { everySeconds: 300, locations: 3 },
  /** Metric alerts that the template lists one by one, of one series each. The alert that learns its threshold counts twice. */
  otherSeries: 4,
} as const;

/** The parts of an environment that cost money without any payment. A test compares it with the parameter files. */
interface Standing {
  readonly gatewayUnit: number;
  /** Instances that are always ready. A plan over several zones keeps two in each scale group, even if the template requests fewer. */
  readonly ready: number;
  readonly privateEndpoints: number;
  readonly privateZones: number;
  /** The number of nights whose exports are kept. */
  readonly exportsKept: number;
  /** The parts of the calls that the gateway logs, in percent. */
  readonly sampling: { readonly standard: number; readonly terminals: number };
  readonly tableCall: (calls: number) => number;
  readonly stored: (gigabytes: number) => number;
}

export const environments = {
  dev: {
    gatewayUnit: costOf(prices.smallGatewayUnit, 1),
    ready: 0,
    privateEndpoints: 0,
    privateZones: 0,
    exportsKept: 30,
    sampling: { standard: 100, terminals: 100 },
    tableCall: (calls) => costOf(prices.tableCall, calls),
    stored: (gigabytes) => costOf(prices.storedGigabyte, gigabytes),
  },
  prod: {
    gatewayUnit: costOf(prices.gatewayUnit, 1),
    ready: 16,
    privateEndpoints: 8,
    privateZones: 6,
    exportsKept: 90,
    sampling: { standard: 5, terminals: 1 },
    tableCall: (calls) => costOf(prices.geoTableCall, calls),
    stored: (gigabytes) => costOf(prices.geoStoredGigabyte, gigabytes),
  },
} as const satisfies Readonly<Record<string, Standing>>;

const SECONDS = 30 * 24 * 3_600;

/** The parts of a month's cost. */
export const parts = [
  "gateway",
  "instances",
  "executions",
  "tables",
  "stored",
  "exports",
  "bus",
  "logs",
  "network and alerts",
] as const;
type Part = (typeof parts)[number];
export interface MonthlyCost extends Readonly<Record<Part | "all", number>> {}

/** US dollars for a month of 30 days with this many payments, and this many terminals that wait all the time. */
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
    exports: costOf(
      prices.exportedGigabyte,
      (payments * assumed.monthsKept * measured.kilobytesExported * standing.exportsKept) / 1e6,
    ),
    bus: busOf(payments),
    logs: costOf(prices.loggedGigabyte, loggedGigabytes(standing, { polling, polls, payments })),
    "network and alerts":
      costOf(prices.privateEndpoint, standing.privateEndpoints) +
      costOf(prices.privateZone, standing.privateZones) +
      alerting(),
  };
  return { ...usd, all: parts.reduce((sum, part) => sum + usd[part], 0) };
}

/** Instances that are always ready, and those in which polls run all month: two of the ready ones, and additional ones. */
function instancesOf({ ready }: Standing, polling: number): number {
  const month = assumed.instanceGigabytes * SECONDS;
  const inReady = ready === 0 ? 0 : Math.min(polling, 2);
  return (
    costOf(prices.readyGigabyteSecond, ready * month) +
    costOf(prices.readyExecution, inReady * month) +
    costOf(prices.gigabyteSecond, (polling - inReady) * month)
  );
}

const webTestRuns = (SECONDS / everywhere.webTest.everySeconds) * everywhere.webTest.locations;

interface Logged {
  readonly polling: number;
  readonly polls: number;
  readonly payments: number;
}

/** The lines of payments, the logged calls of host and gateway, the availability test, and the log of idle instances. */
function loggedGigabytes({ ready, sampling }: Standing, { polling, polls, payments }: Logged): number {
  const requests = payments * assumed.requests;
  const kept = (calls: number, instances: number) =>
    Math.min(calls, Math.max(1, instances) * everywhere.callsKept * SECONDS);
  const ofHost = kept(polls + requests, polling) + kept(payments * measured.deliveries, ready);
  const ofGateway = (2 * (polls * sampling.terminals + requests * sampling.standard)) / 100; // with its call of the app
  const atRest = (ready * assumed.idleMegabytesLogged * 1_000 * SECONDS) / 86_400;
  const ofPayments = payments * assumed.kilobytesLogged;
  return (ofPayments + (ofHost + ofGateway + webTestRuns) * assumed.kilobytesOfCall + atRest) / 1e6;
}

/** The alert rules, of which a metric alert counts by its time series, and the availability test. */
function alerting(): number {
  const frequent = logAlerts.filter(({ frequency }) => frequency === "PT5M").length;
  const series = metricAlerts.map(({ values }) => (values.includes("*") ? workers.length : Math.max(1, values.length)));
  return (
    costOf(prices.frequentLogAlert, frequent) +
    costOf(prices.logAlert, logAlerts.length - frequent) +
    costOf(
      prices.metricSeries,
      series.reduce((sum, count) => sum + count, everywhere.otherSeries),
    ) +
    costOf(prices.webTestRun, webTestRuns)
  );
}

/** The standard tier; or the premium tier if the busiest second has more payments than the standard tier handles. */
function busOf(payments: number): number {
  const perSecond = (payments / SECONDS) * assumed.peak;
  if (perSecond > assumed.paymentsOfStandardBus)
    return costOf(prices.premiumBusUnit, 1) * Math.ceil(perSecond / assumed.paymentsOfPremiumUnit);
  return costOf(prices.busBase, 1) + costOf(prices.busOperation, payments * (measured.sends + 2 * measured.deliveries));
}
