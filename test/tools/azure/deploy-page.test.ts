import { expect, it } from "vitest";
import { sections } from "../../../infra/operator/admin/commands.ts";
import { read } from "../../support/pages.ts";

const scripts = Object.keys((JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts);

/** Every operator command, with its words and options. */
const commands = sections
  .flatMap(({ entries }) => entries)
  .flatMap((entry) =>
    "commands" in entry
      ? entry.commands.map((command) => ({ words: `${entry.name} ${command.name}`, command }))
      : [{ words: entry.name, command: entry }],
  );
/** Options that every command has. */
const everywhere = ["cloud", "clouds", "stack", "json", "yes"];

/** The names on a page that the repository does not have. */
function wrongIn(page: string): string[] {
  const named = [...page.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = ""]) => script);
  const given = [...page.matchAll(/npm run admin -- ([^#`\n]*)/g)].map(([, words = ""]) => words.trim());
  return [
    ...named.filter((script) => !scripts.includes(script)).map((script) => `npm run ${script}`),
    ...given.flatMap((line) => {
      const found = commands.find(({ words }) => `${line} `.startsWith(`${words} `));
      if (!found) return [`admin ${line}`];
      const known = [...everywhere, ...(found.command.words ?? []).map((word) => word.name())];
      const options = [...line.matchAll(/--([\w-]+)/g)].map(([, option = ""]) => option);
      return options.filter((option) => !known.includes(option)).map((option) => `admin ${found.words} --${option}`);
    }),
  ];
}

it.each(["docs/deploy.md", "docs/costs.md", "docs/backup.md", "azure.yaml", ".github/workflows/backup.yml"])(
  "%s names existing scripts, operator commands and options",
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

it("docs/deploy.md has a row for each variable that the parameters read, and for no other", () => {
  const page = read("docs/deploy.md");
  const known = [...read("infra/azure/main.bicepparam").matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(
    ([, name = ""]) => name,
  );
  const [, rows = ""] = /\| `azd env set` \|[^\n]*\n(.*?)\n\n/s.exec(page) ?? [];
  const shown = [...rows.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name);
  expect(new Set(["AZURE_ENV_NAME", ...shown])).toEqual(new Set(known));
  const set = [...page.matchAll(/azd env set (\w+)/g)].map(([, name = ""]) => name);
  expect(set.filter((name) => !shown.includes(name))).toEqual([]);
});
