import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workers } from "../../../functions/workers.ts";
import {
  arrivalMinutes,
  azureAlerts,
  logAlerts,
  metricAlerts,
  otherAlerts,
  queryOf,
} from "../../../infra/azure/alerts.ts";
import { events } from "../../../shared/contracts/events/events.ts";
import { lineOfRun } from "../../../shared/adapters/log/line-of-run.ts";
import { logEvents, membersOf, type EventName } from "../../../shared/ports/log.ts";
import { kqlParser } from "../../support/kql.ts";
import { read } from "../../support/pages.ts";

const template = read("infra/azure/modules/alerts.bicep");
const names = (alerts: readonly { readonly name: string }[]) => alerts.map(({ name }) => name);

/** The columns of Application Insights in a component's queries. */
const parse = kqlParser({
  traces:
    "(timestamp: datetime, message: string, severityLevel: int, itemType: string, itemCount: int, customDimensions: dynamic, operation_Id: string, operation_Name: string, cloud_RoleName: string, cloud_RoleInstance: string)",
  // tables of a workspace
  StorageBlobLogs:
    "(TimeGenerated: datetime, AccountName: string, OperationName: string, StatusText: string, ObjectKey: string)",
  _LogOperation: "(TimeGenerated: datetime, Category: string, Operation: string, Level: string, Detail: string)",
});

/** The values in a query's comparisons: `line.queue == "deadlines"`, `line.event in ("a", "b")`. */
const comparedWith = (query: string, member: string): string[] =>
  [...query.matchAll(new RegExp(String.raw`\bline\.${member} (?:==|!=|in) (\([^)]*\)|"[^"]*")`, "g"))].flatMap(
    ([, given = ""]) => [...given.matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value),
  );

const effects = Object.values(events).flatMap(({ shape }) => shape.type.options.map((type) => `webhook~${type}`));

/** The names of the app's lines that a query uses although no line has them. */
function unknownNamesIn(query: string): string[] {
  const asked = comparedWith(query, "event");
  const known = asked.filter((event): event is EventName => event in logEvents);
  const members = new Set<string>(["event", "version", "level", "time", ...known.flatMap(membersOf)]);
  return [
    ...(asked.length === 0 ? ["it names no event"] : []),
    ...asked.filter((event) => !(event in logEvents)),
    ...[...query.matchAll(/\bline\.(\w+)/g)].map(([, member = ""]) => member).filter((member) => !members.has(member)),
    ...comparedWith(query, "queue").filter((queue) => !workers.some(({ name }) => name === queue)),
    ...comparedWith(query, "effect").filter((effect) => !effects.includes(effect)),
  ];
}

/** The text of the query with this name, as Azure gets it. */
const queryNamed = (name: string): string =>
  queryOf(logAlerts.find((alert) => alert.name === name) ?? expect.fail(name));

describe.each(logAlerts)("the log alert $name", (alert) => {
  const { measure, by, periods } = alert;
  const query = queryOf(alert);

  it("has a query that Azure's parser accepts, with the column that is compared with the threshold", () => {
    const { wrong, columns } = parse(query);
    expect(wrong).toEqual([]);
    expect(["long", "int", "real"]).toContain(columns[measure]);
    if (by !== "") expect(columns[by]).toBe("string");
    if (periods > 1) expect(Object.values(columns)).toContain("datetime"); // it separates one window from the next
  });
});

it.each(logAlerts.filter(({ of }) => of === "component"))(
  "the query of $name names events, members, queues and effects that the app's log has",
  (alert) => {
    expect(unknownNamesIn(queryOf(alert))).toEqual([]);
  },
);

it.each(logAlerts.filter((alert) => comparedWith(queryOf(alert), "event").includes("worker")))(
  "each run that the query of $name counts has its line, even if the run is ordinary",
  (alert) => {
    const query = queryOf(alert);
    const used = [...query.matchAll(/\bline\.(\w+)/g)].flatMap(([, member = ""]) => (member === "event" ? [] : member));
    const [queue] = comparedWith(query, "queue");
    const [effect = "deadline~expiry"] = comparedWith(query, "effect");
    for (const outcome of ["done", "implied", "pointless"]) {
      const line = lineOfRun({ session: "s", queue, effect, outcome, tries: 1, queueAgeMs: 0, ms: 0 });
      expect(Object.keys(line ?? {})).toEqual(expect.arrayContaining(used));
    }
  },
);

it("an alert of any kind reaches an operator: the query leaves none out", () => {
  const query = queryNamed("operator-alert");
  expect(comparedWith(query, "event")).toEqual(["alertRaised"]);
  expect(query.match(/\| where /g)).toHaveLength(3); // the app's lines, the lines that arrived lately, and this event
});

it.each([
  ["a column that the table lacks", "lines | where mesage == ''"],
  ["an operator that is none", "lines | summarise count()"],
  ["a function that is none", "lines | where line.event == 'x' and timestamp < before(1h)"],
  ["a table that the component lacks", "AppTraces | count"],
])("the parser finds %s", (_, query) => {
  expect(parse(queryNamed("back-off").replace(/\nlines[\s\S]*$/, `\n${query}`)).wrong).not.toEqual([]);
});

it.each([
  ["an event", `line.event == "alertRised"`],
  ["a member of another event", `line.event == "alertRaised" and line.queueAgeMs > 1`],
  ["a queue", `line.event == "worker" and line.queue == "deadline"`],
  ["an effect", `line.event == "worker" and line.effect == "webhook~payment.expire"`],
  ["no event at all", `line.level == "error"`],
])("%s that the log does not have is found", (_, where) => {
  expect(unknownNamesIn(`lines | where ${where}`)).toHaveLength(1);
});

it("every query belongs to an alert, and the template loads each under its name", () => {
  const files = readdirSync(new URL("../../../infra/azure/alerts/", import.meta.url)).filter((file) =>
    file.endsWith(".kql"),
  );
  expect(files.toSorted()).toEqual(["lines.kql", ...names(logAlerts).map((name) => `${name}.kql`)].toSorted());
  const loaded = [...template.matchAll(/^ {2}'([\w-]+)': loadTextContent\('\.\.\/alerts\/([\w-]+)\.kql'\)$/gm)];
  expect(loaded.map(([, name, file]) => [name, file])).toEqual(names(logAlerts).map((name) => [name, name]));
});

it("the template declares each alert that the file only names", () => {
  for (const name of names(otherAlerts)) expect(template).toContain(`name: '${name}'`);
});

it("no two alerts have the same name", () => {
  expect(new Set(names(azureAlerts)).size).toBe(azureAlerts.length);
});

const minutes = (span: string): number =>
  Number.parseInt(span.replace(/^PT?/, ""), 10) * ({ M: 1, H: 60, D: 1440 }[span.at(-1) ?? ""] ?? Number.NaN);

it("no alert has a gap between its evaluations, and none looks back further than Azure allows", () => {
  for (const { frequency, window, lookback, periods } of logAlerts) {
    expect(minutes(frequency)).toBeLessThanOrEqual(minutes(window));
    expect(minutes(window) * periods).toBeLessThanOrEqual(minutes(lookback));
    expect(minutes(lookback)).toBeLessThanOrEqual(2 * 1440);
  }
  for (const { frequency, window } of metricAlerts) {
    expect([1, 5, 15, 30, 60]).toContain(minutes(frequency));
    expect([1, 5, 15, 30, 60, 360, 720, 1440]).toContain(minutes(window));
    expect(minutes(frequency)).toBeLessThanOrEqual(minutes(window));
  }
});

/** In minutes: when a line was written, and when a query can find it. */
interface Line {
  readonly written: number;
  readonly received: number;
}

/** The evaluations, by their minute, in which an alert counts a line. */
function countedAt(alert: (typeof logAlerts)[number], { written, received }: Line): number[] {
  const [frequency, lookback] = [minutes(alert.frequency), minutes(alert.lookback)];
  const arrival = arrivalMinutes(queryOf(alert)) ?? Infinity;
  return Array.from({ length: (3 * 1440) / frequency }, (_, turn) => turn * frequency)
    .filter((now) => written > now - lookback && written <= now)
    .filter((now) => received > now - arrival && received <= now);
}

/** The evaluations that notify. An alert that stays fired notifies once. */
const ringsAt = (alert: (typeof logAlerts)[number], line: Line): number[] => {
  const counted = countedAt(alert, line);
  return counted.filter((now) => !alert.resolves || !counted.includes(now - minutes(alert.frequency)));
};

/** Alerts on rates, percentiles and states, and on missing events. lines.kql says why these take a line by its own time. */
const overTime = [
  "reconciling-open",
  "deadlines-late",
  "payments-expiring",
  "webhooks-failing",
  "version-ahead",
  "export-missing",
];
const onLines = logAlerts.filter(({ name }) => !overTime.includes(name));
const lines: [string, Line][] = [
  ["on time", { written: 1502, received: 1502 }],
  ["a minute late, at the next evaluation", { written: 1504, received: 1506 }],
  ["ten minutes late", { written: 1501, received: 1511 }],
  ["written and received at an evaluation", { written: 1500, received: 1500 }],
  ["written at an evaluation, received after it", { written: 1500, received: 1501 }],
  ["received at a later evaluation", { written: 1499, received: 1530 }],
  ["five hours late", { written: 1507, received: 1807 }],
];

it.each(lines)("a line notifies once for each alert on single lines: %s", (_, line) => {
  const rung = onLines.map((alert) => [alert.name, ringsAt(alert, line).length]);
  expect(rung).toEqual(onLines.map(({ name }) => [name, 1]));
});

it("a line that is counted by its arrival is counted by exactly one evaluation, even if it is nearly a day late", () => {
  const byArrival = onLines.filter((alert) => arrivalMinutes(queryOf(alert)) !== undefined);
  expect(names(byArrival)).toEqual(["operator-alert", "back-off", "not-started", "errors-in-code"]);
  for (const alert of byArrival)
    for (const late of [0, 1, 300, 1440 - minutes(alert.frequency)])
      for (let written = 1500; written < 1515; written++)
        expect(countedAt(alert, { written, received: written + late })).toHaveLength(1);
});

it("an alert about one queue names an existing queue", () => {
  const queues = metricAlerts.filter(({ dimension }) => dimension === "EntityName").flatMap(({ values }) => values);
  expect(queues.filter((queue) => queue !== "*" && !workers.some(({ name }) => name === queue))).toEqual([]);
});
