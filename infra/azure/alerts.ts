import { readFileSync } from "node:fs";
import * as z from "zod";

const folder = new URL("alerts/", import.meta.url);

const severity = z.int().min(0).max(4);
/** Minutes, hours or days, such as `PT5M` or `P1D`. */
const span = z.string().regex(/^P(?:\d+D|T\d+[HM])$/);
const named = { name: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/), means: z.string().regex(/^[A-Z].*\.$/), severity };
const threshold = {
  operator: z.enum(["GreaterThan", "LessThan"]),
  threshold: z.int(),
  frequency: span,
  window: span,
};

/**
 * The alerts of Azure Monitor, as infra/azure/modules/alerts.bicep reads them. Each has all members, because Bicep reads the file as
 * one type. An empty text means that there is no value.
 */
const alertsFile = z.strictObject({
  /** The query of each is in the file with its name. */
  log: z.array(
    z.strictObject({
      ...named,
      ...threshold,
      /** The query reads the workspace's own tables, or the app's log lines, which are in the component. */
      of: z.enum(["component", "workspace"]),
      /** The time that the query covers: at least the window, at most two days. */
      lookback: span,
      /** The column that is compared with the threshold. */
      measure: z.string(),
      aggregation: z.enum(["Total", "Maximum", "Minimum"]),
      /** The column with one alert for each of its values. */
      by: z.string(),
      /** The number of successive windows that must pass the threshold. */
      periods: z.int().positive(),
      /** Whether it resolves by itself. Otherwise it fires at each evaluation that finds something. */
      resolves: z.boolean(),
    }),
  ),
  metric: z.array(
    z.strictObject({
      ...named,
      ...threshold,
      of: z.enum(["serviceBus", "gateway", "tables"]),
      namespace: z.string(),
      metric: z.string(),
      aggregation: z.enum(["Total", "Maximum", "Minimum", "Average"]),
      dimension: z.string(),
      values: z.array(z.string()),
    }),
  ),
  /** Each is written out in the Bicep file. */
  other: z.array(z.strictObject(named)),
});

const files = alertsFile.parse(JSON.parse(readFileSync(new URL("alerts.json", folder), "utf8")));
export const { log: logAlerts, metric: metricAlerts, other: otherAlerts } = files;

type LogAlert = (typeof logAlerts)[number];

/** The text of an alert's query as Azure gets it. A query of the component begins with `lines.kql`. */
export function queryOf({ name, of }: Pick<LogAlert, "name" | "of">): string {
  const query = readFileSync(new URL(`${name}.kql`, folder), "utf8");
  return of === "component" ? `${readFileSync(new URL("lines.kql", folder), "utf8")}\n${query}` : query;
}

/** A line counts if it arrived in this many minutes before an evaluation. Undefined if the query does not check arrival times. */
export const arrivalMinutes = (query: string): number | undefined => {
  const [, minutes] = /received > ago\((\d+)m\) and received <= now\(\)/.exec(query) ?? [];
  return minutes === undefined ? undefined : Number(minutes);
};

interface Rule {
  readonly name: string;
  readonly means: string;
  readonly severity: number;
  /** Says when it fires. */
  readonly rule: string;
}

const units: Readonly<Record<string, string>> = { M: "minutes", H: "hours", D: "days" };
const spoken = (time: string): string => {
  const [count, unit = ""] = [Number.parseInt(time.replace(/^PT?/, ""), 10), units[time.at(-1) ?? ""]];
  return count === 1 ? `1 ${unit.slice(0, -1)}` : `${count} ${unit}`;
};
const held = ({ operator, threshold }: { readonly operator: string; readonly threshold: number }): string =>
  `${operator === "GreaterThan" ? "above" : "below"} ${threshold}`;

/** The lines that a log alert sees at an evaluation. */
const seen = (alert: LogAlert): string =>
  arrivalMinutes(queryOf(alert)) === undefined
    ? ` over ${spoken(alert.lookback)}`
    : `, over the lines that arrived in between, at most ${spoken(alert.lookback)} late`;

/** Every alert of Azure Monitor. */
export const azureAlerts: readonly Rule[] = [
  ...logAlerts.map((alert) => ({
    ...alert,
    rule: `\`${alert.measure}\` of [${alert.name}.kql](../infra/azure/alerts/${alert.name}.kql) ${held(alert)}, every ${spoken(alert.frequency)}${seen(alert)}`,
  })),
  ...metricAlerts.map((alert) => ({
    ...alert,
    rule: `\`${alert.metric}\` (${alert.aggregation.toLowerCase()}) ${held(alert)} within ${spoken(alert.window)}`,
  })),
  ...otherAlerts.map((alert) => ({
    ...alert,
    rule: "defined in [alerts.bicep](../infra/azure/modules/alerts.bicep)",
  })),
];
