import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environments, readSnapshot } from "../../../infra/azure/snapshots.ts";
import { read } from "../../support/pages.ts";
import { resources, valueAt } from "./rules.ts";

// The workflow of the nightly exports names resources that the templates create.

const workflow = read(".github/workflows/backup.yml");
const [, container = ""] = /^var exportsContainer = '(\w+)'$/m.exec(read("infra/azure/modules/names.bicep")) ?? [];

it("the workflow gets its identity only from the environment of the exports, and uses pinned actions", () => {
  expect(workflow).toContain("environment: ${{ matrix.environment }}-export\n");
  const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
  expect(actions.length).toBeGreaterThan(2);
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

it("the job that signs in to Azure installs nothing, and the job that installs cannot sign in and omits development tools", () => {
  const [, install = "", signIn = ""] = workflow.split(/^ {2}(?=install:|export:)/m);
  expect(workflow).toContain("\npermissions: {}\n");
  expect(signIn).toContain("      id-token: write");
  expect(signIn).not.toMatch(/npm (?:ci|i|install)\b|npx |actions\/checkout/);
  expect(install).not.toMatch(/id-token|azure\//);
  expect(install).toMatch(/npm ci --workspace infra\/operator --omit=dev .*--ignore-scripts\n/);
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

it.skipIf(process.platform === "win32").each([
  ["[]", "[]", 0],
  ["[{}]", "[]", 1],
  ["[]", "[{}, {}]", 1],
])("the nightly job fails if a payment is overdue or an alert is open: %s, %s", async (overdue, open, status) => {
  expect(workflow).toContain("run: .github/nothing-waits ");
  const folder = await mkdtemp(join(tmpdir(), "waits-"));
  try {
    const npm = `#!/bin/sh\ncase "$*" in *overdue*) echo '${overdue}' ;; *) echo '${open}' ;; esac\n`;
    await writeFile(join(folder, "npm"), npm, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
    const ended = spawnSync("bash", [".github/nothing-waits"], { env, encoding: "utf8" });
    expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status, stderr: "" });
  } finally {
    await rm(folder, { recursive: true });
  }
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
