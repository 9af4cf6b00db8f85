import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../functions/endpoints.ts";
import { workers } from "../../functions/workers.ts";
import { events } from "../../shared/contracts/events/events.ts";
import type { EffectKind } from "../../shared/domain/effects.ts";
import * as queues from "../../shared/ports/queues.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { picturesIn, readPicture, type Picture } from "../support/mermaid.ts";
import { pages, read } from "../support/pages.ts";
import { filesIn } from "../support/rooms.ts";

const pictures = pages.flatMap((page) => picturesIn(page, read(page)));
const sources = ["functions", "shared", "infra", "packages", "test"].flatMap(filesIn);
const code = ["functions", "shared"].flatMap(filesIn).map(read).join("\n");

const eventTypes = new Set(Object.values(events).flatMap(({ shape }) => shape.type.options as string[]));
const files = new Set([...sources, ...pages, "infra/azure/service-bus/queues.json"].map((file) => basename(file)));
const strings = new Set([...code.matchAll(/["'`]([\w.-]+)["'`]/g)].map(([, name = ""]) => name));
const words = new Set(code.match(/\w+/g));

/** English words that have the form of names. */
const english = new Set(["time-out"]);

/** The forms of names, and the existing names. The first form that fits a word decides. */
const written: readonly (readonly [RegExp, (name: string) => boolean])[] = [
  [/^[\w-]+\.(?:ts|json|md)$/, (name) => files.has(name)],
  [/^[a-z]\w+\.[a-z]\w+$/, (name) => eventTypes.has(name)],
  [/^[a-z][a-z\d]*(?:-[a-z\d]+)+$/, (name) => strings.has(name) || files.has(`${name}.ts`) || english.has(name)],
  [/^[A-Za-z]+[a-z][A-Z]\w*$/, (name) => words.has(name)], // orderUpdate, AccessTokens
];

/** The names in a text that do not exist: functions, queues, files, tables, effects, events, members. */
function unknownIn(text: string): string[] {
  const marked = [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const named = text.match(/[A-Za-z][\w.-]*\w/g) ?? [];
  return [
    ...marked.filter((name) => !strings.has(name) && !words.has(name) && !files.has(name) && !eventTypes.has(name)),
    ...named.filter((name) => !(written.find(([form]) => form.test(name))?.[1] ?? (() => true))(name)),
  ];
}

const objections = (picture: Picture): string[] => {
  const { texts, objections } = readPicture(picture);
  return [...objections, ...texts.flatMap(unknownIn).map((name) => `there is no ${name}`)];
};

describe("the pictures of the pages", () => {
  it.each(pictures)("$page, line $line: can be read, and names what exists", (picture) => {
    expect(objections(picture)).toEqual([]);
  });
});

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
