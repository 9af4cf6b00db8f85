import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workers } from "../../../functions/workers.ts";
import { azureAlerts, logAlerts, metricAlerts, otherAlerts, queryOf } from "../../../infra/azure/alerts.ts";
import { events } from "../../../shared/contracts/events/events.ts";
import { logEvents, membersOf, type EventName } from "../../../shared/ports/log.ts";
import { kqlParser } from "../../support/kql.ts";
import { read } from "../../support/pages.ts";

const template = read("infra/azure/modules/alerts.bicep");
const names = (alerts: readonly { readonly name: string }[]) => alerts.map(({ name }) => name);

/** The columns of Application Insights that a query of a component sees. */
const parse = kqlParser({
  traces:
    "(timestamp: datetime, message: string, severityLevel: int, itemType: string, itemCount: int, customDimensions: dynamic, operation_Id: string, operation_Name: string, cloud_RoleName: string, cloud_RoleInstance: string)",
  // of a workspace
  StorageBlobLogs:
    "(TimeGenerated: datetime, AccountName: string, OperationName: string, StatusText: string, ObjectKey: string)",
  _LogOperation: "(TimeGenerated: datetime, Category: string, Operation: string, Level: string, Detail: string)",
});

/** What the comparisons of a query name: `line.queue == "deadlines"`, `line.event in ("a", "b")`. */
const comparedWith = (query: string, member: string): string[] =>
  [...query.matchAll(new RegExp(String.raw`\bline\.${member} (?:==|!=|in) (\([^)]*\)|"[^"]*")`, "g"))].flatMap(
    ([, given = ""]) => [...given.matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value),
  );

const effects = Object.values(events).flatMap(({ shape }) => shape.type.options.map((type) => `webhook~${type}`));

/** What a query says of the app's lines and no line has. */
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

describe.each(logAlerts)("the log alert $name", ({ name, measure, by, periods }) => {
  const query = queryOf(name);

  it("has a query that Azure's parser takes, with the column that is held to the threshold", () => {
    const { wrong, columns } = parse(query);
    expect(wrong).toEqual([]);
    expect(["long", "int", "real"]).toContain(columns[measure]);
    if (by !== "") expect(columns[by]).toBe("string");
    if (periods > 1) expect(Object.values(columns)).toContain("datetime"); // it tells one window from the next
  });

  it("names events, members, queues and effects that the app's log has", () => {
    expect(unknownNamesIn(query)).toEqual([]);
  });
});

it("an alert of any kind calls an operator: the query leaves none out", () => {
  const query = queryOf("operator-alert");
  expect(comparedWith(query, "event")).toEqual(["alertRaised"]);
  expect(query.match(/\| where /g)).toHaveLength(2); // the lines of the app, and this event
});

it("the query of the workspace's quota is one that Azure's parser takes", () => {
  expect(parse(read("infra/azure/alerts/log-quota.kql"))).toEqual({ wrong: [], columns: { stopped: "long" } });
});

it("the query of missing exports is one that Azure's parser takes", () => {
  expect(parse(read("infra/azure/alerts/export-missing.kql"))).toEqual({ wrong: [], columns: { finished: "long" } });
});

it.each([
  ["a column that the table lacks", "lines | where mesage == ''"],
  ["an operator that is none", "lines | summarise count()"],
  ["a function that is none", "lines | where line.event == 'x' and timestamp < before(1h)"],
  ["a table that the component lacks", "AppTraces | count"],
])("the parser finds %s", (_, query) => {
  expect(parse(queryOf("back-off").replace(/\nlines[\s\S]*$/, `\n${query}`)).wrong).not.toEqual([]);
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

it("every query is an alert's, and the template loads each under its name", () => {
  const files = readdirSync(new URL("../../../infra/azure/alerts/", import.meta.url)).filter((file) =>
    file.endsWith(".kql"),
  );
  expect(files.toSorted()).toEqual(
    ["export-missing.kql", "lines.kql", "log-quota.kql", ...names(logAlerts).map((name) => `${name}.kql`)].toSorted(),
  );
  const loaded = [...template.matchAll(/^ {2}'([\w-]+)': loadTextContent\('\.\.\/alerts\/([\w-]+)\.kql'\)$/gm)];
  expect(loaded.map(([, name, file]) => [name, file])).toEqual(names(logAlerts).map((name) => [name, name]));
});

it("the template declares each alert that the file only names", () => {
  for (const name of names(otherAlerts)) expect(template).toContain(`name: '${name}'`);
});

it("no two alerts have one name", () => {
  expect(new Set(names(azureAlerts)).size).toBe(azureAlerts.length);
});

const minutes = (span: string): number =>
  Number.parseInt(span.replace(/^PT?/, ""), 10) * ({ M: 1, H: 60, D: 1440 }[span.at(-1) ?? ""] ?? Number.NaN);

it("no alert looks away between its evaluations, and none looks back further than Azure allows", () => {
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

it("an alert of one queue names a queue that there is", () => {
  const queues = metricAlerts.filter(({ dimension }) => dimension === "EntityName").flatMap(({ values }) => values);
  expect(queues.filter((queue) => queue !== "*" && !workers.some(({ name }) => name === queue))).toEqual([]);
});
