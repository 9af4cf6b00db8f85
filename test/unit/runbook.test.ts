import { expect, it } from "vitest";
import { workers } from "../../functions/workers.ts";
import { azureAlerts } from "../../infra/azure/alerts.ts";
import { alertKinds } from "../../shared/domain/alert-kinds.ts";
import { logEvents } from "../../shared/ports/log.ts";
import { read } from "../support/pages.ts";

/** The sections of the runbook, and the headings in each with their text. */
const sections = new Map(
  read("docs/runbook.md")
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = "", ...entries] = section.split(/^### /m);
      const named = entries.map((entry) => [entry.split("\n")[0] ?? "", entry] as const);
      return [title.split("\n")[0] ?? "", new Map(named)] as const;
    }),
);

const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(" ", "-");

const notRoutine = Object.entries(logEvents).flatMap(([event, row]) => ("routine" in row ? [] : [event]));

it.each([
  ["Alerts", Object.keys(alertKinds)],
  ["Log events", notRoutine],
  ["Azure Monitor alerts", azureAlerts.map(({ name }) => name)],
  ["Dead letters", workers.map(({ name }) => name)],
])("the runbook's section %s has exactly what the code has", (section, names) => {
  const entries = sections.get(section);
  expect([...(entries?.keys() ?? [])].toSorted()).toEqual(names.toSorted());
  for (const text of entries?.values() ?? []) {
    expect(text).toMatch(/\*\*The customer's money\*\*: \S/);
    expect(text).toMatch(/\*\*Do\*\*: \S/);
  }
});

it("each heading of the runbook has a unique anchor, so that links lead to it", () => {
  const anchors = [...sections].flatMap(([section, entries]) => [section, ...entries.keys()].map(anchorOf));
  expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)).toEqual([]);
});
