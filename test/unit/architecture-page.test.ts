import { describe, expect, it } from "vitest";
import { endpoints } from "../../functions/endpoints.ts";
import { workers } from "../../functions/workers.ts";
import type { EffectKind } from "../../shared/domain/effects.ts";
import * as queues from "../../shared/ports/queues.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { read } from "../support/pages.ts";

describe("the tables of the architecture", () => {
  const page = read("docs/architecture.md");
  /** The cells of each row of the table with this heading. */
  const rowsUnder = (heading: string) =>
    (page.split(`| ${heading} |`)[1]?.split("\n\n")[0]?.split("\n").slice(2) ?? []).map((row) =>
      row.split("|").map((cell) => cell.trim()),
    );
  const namesIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

  it("have every declared queue, with its worker and the effects that it carries", () => {
    const { UserConfig } = JSON.parse(read("infra/azure/service-bus/queues.json")) as {
      readonly UserConfig: {
        readonly Namespaces: readonly { readonly Queues: readonly { readonly Name: string }[] }[];
      };
    };
    const declared = UserConfig.Namespaces.flatMap(({ Queues }) => Queues.map(({ Name }) => Name));
    const carriedOn = (queue: string) =>
      (Object.keys(queues.queueOf) as EffectKind[]).filter(
        (kind) => queues.queueOf[kind] === queue || queues.retryQueueOf[kind] === queue,
      );
    const written = rowsUnder("queue | effects | result").map(
      ([, queue, effects]) => [namesIn(queue)[0], namesIn(effects).toSorted()] as const,
    );
    expect(Object.fromEntries(written)).toEqual(
      Object.fromEntries(declared.map((queue) => [queue, carriedOn(queue).toSorted()])),
    );
    expect(workers.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
  });

  it("have every HTTP function, with its API", () => {
    const written = rowsUnder("API | functions").flatMap(([, api, functions]) =>
      namesIn(functions).map((name) => `${api}/${name}`),
    );
    expect(written.toSorted()).toEqual(endpoints.map(({ contract }) => `${contract.api}/${contract.name}`).toSorted());
  });

  it("are completed by the page of the tables, which has every table", () => {
    const tables = read("docs/tables.md");
    expect(Object.values(tableNames).filter((name) => !tables.includes(name))).toEqual([]);
  });
});
