import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sections } from "../../../infra/admin/commands.ts";
import { read } from "../../support/pages.ts";
import { root } from "../../support/rooms.ts";

const scripts = Object.keys((JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts);

/** Every command of the operator's, and its words and options. */
const commands = sections
  .flatMap(({ entries }) => entries)
  .flatMap((entry) =>
    "commands" in entry
      ? entry.commands.map((command) => ({ words: `${entry.name} ${command.name}`, command }))
      : [{ words: entry.name, command: entry }],
  );
/** Options that every command has. */
const everywhere = ["cloud", "clouds", "stack", "json", "yes"];

/** What a page names and the repository does not have. */
function wrongIn(page: string): string[] {
  const named = [...page.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = ""]) => script);
  const given = [...page.matchAll(/npm run admin -- ([^#`\n]*)/g)].map(([, words = ""]) => words.trim());
  return [
    ...named.filter((script) => !scripts.includes(script)).map((script) => `npm run ${script}`),
    ...given.flatMap((line) => {
      const found = commands.find(({ words }) => `${line} `.startsWith(`${words} `));
      if (!found) return [`admin ${line}`];
      const known = [...everywhere, ...Object.keys(found.command.options ?? {})];
      const options = [...line.matchAll(/--([\w-]+)/g)].map(([, option = ""]) => option);
      return options.filter((option) => !known.includes(option)).map((option) => `admin ${found.words} --${option}`);
    }),
  ];
}

it.each(["docs/deploy.md", "docs/costs.md", "docs/backup.md", "azure.yaml", ".github/workflows/backup.yml"])(
  "%s names scripts, operator's commands and options that there are",
  (page) => {
    expect(wrongIn(read(page))).toEqual([]);
  },
);

it.each(["npm run azure:founding", "npm run admin -- partner make", "npm run admin -- partner create --nam x"])(
  "a page that says %s is wrong",
  (line) => {
    expect(wrongIn(line)).toHaveLength(1);
  },
);

it("azure.yaml names folders, templates and a service that there are", () => {
  const page = read("azure.yaml");
  const [, path = "", module = ""] = /path: (\S+)\n\s+module: (\S+)/.exec(page) ?? [];
  expect(existsSync(join(root, path, `${module}.bicep`))).toBe(true);
  expect(readFileSync(join(root, "infra/azure/modules/functions.bicep"), "utf8")).toContain(
    `'azd-service-name': '${/services:\n {2}(\w+):/.exec(page)?.[1]}'`,
  );
});

it("docs/deploy.md names each variable that a parameter file reads, and no other", () => {
  const page = read("docs/deploy.md");
  const files = ["hooks/foundation.ts", "hooks/smoke.ts", "main.dev.bicepparam", "main.prod.bicepparam"];
  const readers = files.map((file) => read(`infra/azure/${file}`)).join("\n");
  const ofFiles = [...readers.matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(([, name = ""]) => name);
  expect(ofFiles.length).toBeGreaterThan(4);
  expect(ofFiles.filter((name) => !page.includes(name))).toEqual([]);
  const set = [...page.matchAll(/azd env set (\w+)/g)].map(([, name = ""]) => name);
  expect(set.length).toBeGreaterThan(2);
  expect(set.filter((name) => !readers.includes(name))).toEqual([]);
});
