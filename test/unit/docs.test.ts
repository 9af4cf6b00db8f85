import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import project from "../../package.json" with { type: "json" };
import { generatedPages } from "../../infra/documents/pages.ts";
import { current, repeatingPages } from "../../packages/workbench/docs.ts";
import { pages, read } from "../support/pages.ts";
import { root, withSlashes } from "../support/rooms.ts";

it.each(Object.entries(generatedPages))(
  "%s matches the code from which it is written (else: npm run docs)",
  (page, text) => {
    expect(read(page)).toBe(text());
  },
);

it.each(repeatingPages)("%s repeats the present code (else: npm run docs)", async (page) => {
  expect(read(page)).toBe(await current(page, read(page)));
});

it("docs/security.md names existing test files, has for each row a test or that it is not met or not ours, and is short", () => {
  const page = read("docs/security.md");
  const named = [...page.matchAll(/\]\((\.\.\/(?:packages\/local-azure\/[\w-]+\/)?test\/[^)]+)\)/g)].map(
    ([, path = ""]) => path,
  );
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(1_500);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(new URL(`../../docs/${path}`, import.meta.url)))).toEqual([]);
  const rows = page.split("\n").filter((line) => /^\| (?!risk|chapter|requirement)\w/.test(line));
  expect(
    rows.filter(
      (row) =>
        !/\.\.\/(?:packages\/local-azure\/[\w-]+\/)?test\/|\*not (?:met|ours)\*: \w/.test(row.split("|").at(-2) ?? ""),
    ),
  ).toEqual([]);
});

/** The anchors of a page's headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );

it.each(pages)("%s links to existing files and headings", (page) => {
  const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, "");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, path = "", anchor]) => {
    const to = path === "" ? page : withSlashes(join(dirname(page), path));
    if (!existsSync(join(root, to))) return true;
    return anchor !== undefined && to.endsWith(".md") && !anchorsOf(to).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it("docs/dependencies.md gives a reason for each package that is depended on, and for no other", () => {
  const dependenciesOf = (folder: string) => {
    const file = JSON.parse(read(`${folder}package.json`)) as Readonly<
      Record<string, Readonly<Record<string, string>> | undefined>
    >;
    return ["dependencies", "devDependencies"].flatMap((kind) => Object.keys(file[kind] ?? {}));
  };
  const page = read("docs/dependencies.md");
  const named = [...page.matchAll(/^\| (`[^|]+) \| [a-z, ]+ \| \S[^|]+ \| \S[^|]+ \| \S[^|]+ \|$/gm)]
    .flatMap(([, names = ""]) => names.match(/[^`, ]+/g) ?? [])
    .toSorted();
  const folders = ["", "clients/tools/", ...project.workspaces.map((folder) => `${folder}/`)];
  expect(named).toEqual([...new Set(folders.flatMap(dependenciesOf))].toSorted());
  const node = JSON.parse(read("infra/tools/node/package.json")) as { readonly optionalDependencies: object };
  expect(Object.keys(node.optionalDependencies).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
