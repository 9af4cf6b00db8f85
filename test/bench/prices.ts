/** A range of a month's use, and its price for each unit. */
export interface Tier {
  /** The end of this price's range; absent for the last one. */
  readonly upTo?: number;
  readonly usd: number;
}

/** A list price, and its source. */
export interface Price {
  readonly meter: string;
  /** The number of units that a tier's price pays for. */
  readonly per: number;
  /** The tiers in order, beginning with the month's first use. */
  readonly tiers: readonly Tier[];
  readonly source: string;
  /** The date of the source, or the last date at which the price was known to hold. */
  readonly dated: string;
  /** Whether the price has no dated list. */
  readonly isAssumed: boolean;
}

const MILLION = 1e6;
const modal = {
  source: "modal.com/blog/azure-function-pricing-guide (East US)",
  dated: "2025-05-22",
  isAssumed: false,
};
const quoted = {
  source: "the retail prices API (East US 2), as a public repository quotes it",
  dated: "2026-06-30",
  isAssumed: false,
};
const remembered = { source: "Azure's price pages (East US), remembered", dated: "2025", isAssumed: true };

/** In US dollars, without taxes, discounts and reservations. */
export const prices = {
  tableCall: { meter: "Table Storage, transactions (LRS)", per: 10_000, tiers: [{ usd: 0.00036 }], ...remembered },
  storedGigabyte: { meter: "Table Storage, a GB for a month (LRS)", per: 1, tiers: [{ usd: 0.045 }], ...remembered },
  busBase: { meter: "Service Bus standard, base charge of a month", per: 1, tiers: [{ usd: 10 }], ...remembered },
  busOperation: {
    meter: "Service Bus standard, operations",
    per: MILLION,
    tiers: [
      { upTo: 13 * MILLION, usd: 0 },
      { upTo: 100 * MILLION, usd: 0.8 },
      { upTo: 2_500 * MILLION, usd: 0.5 },
      { usd: 0.2 },
    ],
    ...remembered, // the ends of the tiers: azure.microsoft.com
  },
  execution: {
    meter: "Functions Flex Consumption, executions",
    per: MILLION,
    tiers: [{ upTo: 0.25 * MILLION, usd: 0 }, { usd: 0.4 }],
    ...modal,
  },
  gigabyteSecond: {
    meter: "Functions Flex Consumption, GB-seconds on demand",
    per: MILLION,
    tiers: [{ upTo: 100_000, usd: 0 }, { usd: 26 }],
    ...modal,
  },
  gatewayUnit: {
    meter: "API Management Standard v2, a unit for a month",
    per: 1,
    tiers: [{ usd: 734 }],
    source: "microsoftnegotiations.com/blog/azure-api-management-licensing",
    dated: "2026",
    isAssumed: false,
  },
  gatewayCall: {
    meter: "API Management Standard v2, requests",
    per: MILLION,
    tiers: [{ upTo: 50 * MILLION, usd: 0 }, { usd: 2.5 }],
    ...remembered,
  },
  readyGigabyteSecond: {
    meter: "Functions Flex Consumption, GB-seconds of an instance that is always ready, idle or not",
    per: MILLION,
    tiers: [{ usd: 4 }],
    ...quoted,
  },
  readyExecution: {
    meter: "Functions Flex Consumption, GB-seconds in which an instance that is always ready executes",
    per: MILLION,
    tiers: [{ usd: 16 }],
    ...quoted,
  },
  smallGatewayUnit: {
    meter: "API Management Basic v2, a unit for a month",
    per: 1,
    tiers: [{ usd: 150 }],
    ...remembered,
  },
  geoTableCall: { meter: "Table Storage, transactions (GZRS)", per: 10_000, tiers: [{ usd: 0.00081 }], ...remembered },
  geoStoredGigabyte: {
    meter: "Table Storage, a GB for a month (GZRS)",
    per: 1,
    tiers: [{ usd: 0.1013 }],
    ...remembered,
  },
  loggedGigabyte: {
    meter: "Log Analytics, a GB taken in",
    per: 1,
    tiers: [{ upTo: 5, usd: 0 }, { usd: 2.76 }],
    ...remembered,
  },
  premiumBusUnit: {
    meter: "Service Bus premium, a messaging unit for a month",
    per: 1,
    tiers: [{ usd: 677 }],
    ...remembered,
  },
  privateEndpoint: { meter: "Private endpoint, a month", per: 1, tiers: [{ usd: 7.3 }], ...remembered },
  privateZone: { meter: "Private DNS zone, a month", per: 1, tiers: [{ usd: 0.5 }], ...remembered },
  frequentLogAlert: {
    meter: "Log alert, evaluated each 5 minutes, a month",
    per: 1,
    tiers: [{ usd: 1.5 }],
    ...remembered,
  },
  logAlert: {
    meter: "Log alert, evaluated each 15 minutes or less often, a month",
    per: 1,
    tiers: [{ usd: 0.5 }],
    ...remembered,
  },
  metricSeries: {
    meter: "Metric alert, a time series for a month",
    per: 1,
    tiers: [{ upTo: 10, usd: 0 }, { usd: 0.1 }],
    ...remembered,
  },
  webTestRun: { meter: "Availability test, runs", per: 1_000, tiers: [{ usd: 0.6 }], ...remembered },
  exportedGigabyte: {
    meter: "Blob Storage, cool, a GB for a month (LRS)",
    per: 1,
    tiers: [{ usd: 0.0152 }],
    ...remembered,
  },
} satisfies Readonly<Record<string, Price>>;

/** The monthly cost of this use of a meter. Each part costs the price of its tier. */
export function costOf({ tiers, per }: Pick<Price, "tiers" | "per">, amount: number): number {
  let [from, usd] = [0, 0];
  for (const { upTo = Infinity, usd: price } of tiers) {
    usd += (Math.max(0, Math.min(amount, upTo) - from) * price) / per;
    from = upTo;
  }
  return usd;
}
