import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { environments, readSnapshot } from "../../../infra/azure/snapshots.ts";
import { read } from "../../support/pages.ts";
import { resources, valueAt } from "./rules.ts";

// The workflow of the nightly exports names resources that the templates create.

const workflow = read(".github/workflows/backup.yml");
const [, container = ""] = /^var exportsContainer = '(\w+)'$/m.exec(read("infra/azure/modules/names.bicep")) ?? [];

it("the workflow gets its identity only from the environment of the exports", () => {
  expect(workflow).toContain("environment: ${{ matrix.environment }}-export\n");
});

it("the job that installs cannot sign in to Azure, and omits development tools", () => {
  const [, install = "", signIn = ""] = workflow.split(/^ {2}(?=install:|export:)/m);
  expect(signIn).toContain("      id-token: write");
  expect(install).not.toMatch(/id-token|azure\//);
  expect(install).toContain("npm ci --workspace infra/operator --omit=dev ");
});

it("the export's identity differs from the pipeline's", () => {
  const subjectIn = (file: string) => /subject: '(.+)'$/m.exec(read(`infra/azure/${file}`))?.[1];
  expect(subjectIn("modules/backup.bicep")).toBe("repo:${repository}:environment:${environmentName}-export");
  expect(subjectIn("ci.bicep")).toBe("repo:${repository}:environment:${environmentName}");
});

it("docs/backup.md names each variable of the workflow", () => {
  const given = [...workflow.matchAll(/vars\.(\w+)/g)].map(([, name = ""]) => name);
  expect(given.length).toBeGreaterThan(1);
  expect(given.filter((name) => !read("docs/backup.md").includes(`\`${name}\``))).toEqual([]);
});

it("the upload goes to the container of the templates", () => {
  expect(workflow).toContain(".github/upload-export ");
  const upload = read(".github/upload-export");
  for (const words of [`--destination ${container} `, `--container-name ${container} `])
    expect(upload).toContain(words);
});

/** Runs a script of the workflow with these programs in place of the real ones. Each program's calls are lines of the file `calls`. */
async function runScript(words: readonly string[], programs: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), "script-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const calls = join(folder, "calls");
  for (const [name, body] of Object.entries(programs))
    await writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >>"${calls}"\n${body}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  const { status, stderr } = spawnSync("bash", words, { env, encoding: "utf8" });
  return { status, stderr, calls: (await readFile(calls, "utf8")).trim().split("\n") };
}

describe.skipIf(process.platform === "win32")("an export with damaged rows", () => {
  it.each([
    [
      "is finished at once, without the names in the job's log",
      "touch $6/manifest.json; echo the row >&2; exit 2",
      0,
      1,
      "",
    ],
    ["is no excuse for wrong words", "echo wrong >&2; exit 2", 2, 2, "wrong\nwrong\n"],
    ["is not what an interruption is: it continues once", "[ -f $6/begun ] || { touch $6/begun; exit 1; }", 0, 2, ""],
  ])("%s", async (_, npm, status, calls, stderr) => {
    expect(workflow).toContain('run: .github/export-tables "$RUNNER_TEMP/export"');
    const folder = await mkdtemp(join(tmpdir(), "export-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ended = await runScript([".github/export-tables", folder], { npm });
    expect(ended).toMatchObject({ status, stderr });
    expect(ended.calls).toHaveLength(calls);
  });

  it.each([
    [[], 0],
    [[{ table: "payments", partition: "p", row: "r", why: "its record is not JSON" }], 1],
  ])("is uploaded with its manifest, and fails the job: %j", async (damaged, status) => {
    const folder = await mkdtemp(join(tmpdir(), "export-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "Terminals.jsonl"), "");
    await writeFile(join(folder, "manifest.json"), JSON.stringify({ tables: { payments: { rows: 7 } }, damaged }));
    const az = 'case "$*" in *" list "*) echo 1 ;; esac';
    const ended = await runScript([".github/upload-export", folder, "account", "night"], { az });
    expect(ended.status).toBe(status);
    expect(ended.calls.at(-1)).toContain("--name night/manifest.json");
  });
});

it.skipIf(process.platform === "win32").each([
  ["[]", "[]", 0],
  ["[{}]", "[]", 1],
  ["[]", "[{}, {}]", 1],
])("the nightly job fails if a payment is overdue or an alert is open: %s, %s", async (overdue, open, status) => {
  expect(workflow).toContain("run: .github/nothing-waits ");
  const npm = `case "$*" in *overdue*) echo '${overdue}' ;; *) echo '${open}' ;; esac`;
  expect(await runScript([".github/nothing-waits"], { npm })).toMatchObject({ status, stderr: "" });
});

describe.each(environments)("%s", async (environment) => {
  const snapshot = await readSnapshot(environment);
  const isOfExports = ({ name, scope = "" }: { name: string; scope?: string }) =>
    `${scope}/${name}`.includes("stexports");

  it("keeps each version of an export, and logs who writes", () => {
    const [blobs] = resources(snapshot, "Storage/storageAccounts/blobServices").filter(isOfExports);
    expect(valueAt(blobs?.properties, "isVersioningEnabled")).toBe(true);
    const [accesses] = resources(snapshot, "Insights/diagnosticSettings").filter(isOfExports);
    expect(accesses?.properties).toMatchObject({
      logs: expect.arrayContaining([{ category: "StorageWrite", enabled: true }]),
    });
  });

  it("has an account with the name that the alert looks for, with the container", () => {
    const [, prefix = ""] = /AccountName startswith "(\w+)"/.exec(read("infra/azure/alerts/export-missing.kql")) ?? [];
    const accounts = resources(snapshot, "Storage/storageAccounts").filter(({ name }) => name.startsWith(prefix));
    expect(accounts).toHaveLength(1);
    const containers = resources(snapshot, "Storage/storageAccounts/blobServices/containers").map(({ name }) => name);
    expect(containers).toContain(`${accounts[0]?.name}/default/${container}`);
  });
});
