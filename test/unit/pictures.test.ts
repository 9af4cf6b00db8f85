import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../functions/endpoints.ts";
import { workers } from "../../functions/workers.ts";
import { events } from "../../shared/contracts/events/events.ts";
import type { EffectKind } from "../../shared/domain/effects.ts";
import * as queues from "../../shared/ports/queues.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { picturesIn, readPicture, type Picture, type Reading } from "../support/mermaid.ts";
import { pages, read } from "../support/pages.ts";
import { filesIn } from "../support/rooms.ts";

const pictures = pages.flatMap((page) => picturesIn(page, read(page)));
const sources = ["functions", "shared", "infra", "test"].flatMap(filesIn);
const code = ["functions", "shared"].flatMap(filesIn).map(read).join("\n");

const eventTypes = new Set(Object.values(events).flatMap(({ shape }) => shape.type.options as string[]));
const files = new Set([...sources, ...pages, "infra/azure/service-bus/queues.json"].map((file) => basename(file)));
const strings = new Set([...code.matchAll(/["'`]([\w.-]+)["'`]/g)].map(([, name = ""]) => name));
const words = new Set(code.match(/\w+/g));

/** English that is written as names are. */
const english = new Set(["time-out"]);

/** How names are written, and which there are. The first that fits a word decides. */
const written: readonly (readonly [RegExp, (name: string) => boolean])[] = [
  [/^[\w-]+\.(?:ts|json|md)$/, (name) => files.has(name)],
  [/^[a-z]\w+\.[a-z]\w+$/, (name) => eventTypes.has(name)],
  [/^[a-z][a-z\d]*(?:-[a-z\d]+)+$/, (name) => strings.has(name) || files.has(`${name}.ts`) || english.has(name)],
  [/^[A-Za-z]+[a-z][A-Z]\w*$/, (name) => words.has(name)], // orderUpdate, AccessTokens
];

/** What a text names that is not there: functions, queues, files, tables, effects, events, members. */
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
  it.each(pictures)("$page, line $line: can be read, and name what is there", (picture) => {
    expect(objections(picture)).toEqual([]);
  });
});

describe("the picture of the containers", () => {
  const page = "docs/architecture.md";
  const [container] = picturesIn(page, read(page)).map(readPicture);
  const { nodes, links } = container as Reading;
  const within = (group: string) => [...nodes].filter(([, { groups }]) => groups.at(-1) === group);
  const named = (lines: readonly string[]) => lines.flatMap((line) => line.split(", ")).toSorted();
  const queueOf = (id: string) => (nodes.get(id)?.groups.at(-1) === "bus" ? nodes.get(id)?.label[0] : id);

  it("has every declared queue, each with the effects that it carries", () => {
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
    const drawn = within("bus").map(([, { label }]) => [label[0], named(label.slice(1))] as const);
    expect(drawn).toHaveLength(declared.length);
    expect(Object.fromEntries(drawn)).toEqual(
      Object.fromEntries(declared.map((queue) => [queue, carriedOn(queue).toSorted()])),
    );
  });

  it("has every worker, which its queue alone leads to", () => {
    const leadTo = (id: string) => links.filter(({ to }) => to === id).map(({ from }) => from);
    const drawn = within("workers").map(([id, { label }]) => [label[0], leadTo(id).map(queueOf)] as const);
    expect(drawn).toHaveLength(workers.length);
    expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(workers.map(({ name }) => [name, [name]])));
  });

  it("has every HTTP function, with its API", () => {
    const drawn = within("http").flatMap(([id, { label }]) => named(label.slice(1)).map((name) => `${id}/${name}`));
    expect(drawn.toSorted()).toEqual(endpoints.map(({ contract }) => `${contract.api}/${contract.name}`).toSorted());
  });

  it("has every table", () => {
    expect(named(nodes.get("tables")?.label.slice(1) ?? [])).toEqual(Object.values(tableNames).toSorted());
  });
});
