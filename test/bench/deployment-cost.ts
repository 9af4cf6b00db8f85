import { workers } from "../../functions/workers.ts";
import { logAlerts, metricAlerts } from "../../infra/azure/alerts.ts";
import { LONGEST_WAIT_SECONDS } from "../../infra/terminal/simulated/terminal-client.ts";
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
  /** A payment's part of an export: `npm run bench -- backup`. */
  kilobytesExported: 7.7,
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
  /** A call as Application Insights keeps it: of the host, of the gateway, of the availability test. */
  kilobytesOfCall: 1.5,
  /** The host's own log, for an instance and a day. */
  idleMegabytesLogged: 10,
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

/** Both environments have these numbers, from host.json and the template of the alerts. A test compares them. */
export const everywhere = {
  /** The host keeps so many calls a second of an instance. */
  callsKept: 1,
  webTest: { everySeconds: 300, locations: 3 },
  /** Metric alerts that the template writes out, of one series each. One counts twice, because it learns its threshold. */
  otherSeries: 4,
} as const;

/** What an environment pays for without a payment. The test holds it to the parameter files. */
interface Standing {
  readonly gatewayUnit: number;
  /** Instances that are always ready. A plan over several zones keeps two of each scale group so, whatever the template asks for. */
  readonly ready: number;
  readonly privateEndpoints: number;
  readonly privateZones: number;
  /** The nights of which exports are kept. */
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
    ready: 18,
    privateEndpoints: 7,
    privateZones: 5,
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

const webTestRuns = (SECONDS / everywhere.webTest.everySeconds) * everywhere.webTest.locations;

interface Logged {
  readonly polling: number;
  readonly polls: number;
  readonly payments: number;
}

/** The lines of payments, the calls that host and gateway keep, the availability test, and what instances log at rest. */
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

/** The rules, of which a metric alert counts by its time series, and the availability test. */
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

/** The standard tier, and the premium one where the busiest second has more payments than the standard one takes. */
function busOf(payments: number): number {
  const perSecond = (payments / SECONDS) * assumed.peak;
  if (perSecond > assumed.paymentsOfStandardBus)
    return costOf(prices.premiumBusUnit, 1) * Math.ceil(perSecond / assumed.paymentsOfPremiumUnit);
  return costOf(prices.busBase, 1) + costOf(prices.busOperation, payments * (measured.sends + 2 * measured.deliveries));
}
