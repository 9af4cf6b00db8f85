import { readdirSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { trackedFiles } from "../support/check-secrets.ts";
import { read } from "../support/pages.ts";
import { root } from "../support/rooms.ts";

// The package imports JSON without the attribute that Node demands.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
hooks.deregister();

/** GitHub's errors about a workflow, before it runs it. */
async function errorsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

const folder = ".github/workflows";

describe.each(readdirSync(join(root, folder)))("%s", (name) => {
  const workflow = read(`${folder}/${name}`);

  it("is a workflow without an error, by GitHub's own parser", async () => {
    expect(await errorsOf(name, workflow)).toEqual([]);
    expect(await errorsOf(name, workflow.replaceAll("runs-on:", "runs-om:"))).not.toEqual([]);
  });

  it("uses actions by their hashes, and gives its jobs no right to write by default", () => {
    const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(workflow).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)\n\n/m);
  });

  // An older npm than ours does not read allowScripts.
  it("installs without the packages' scripts", () => {
    const installs = workflow.match(/npm (?:ci|i|install)\b.*/g) ?? [];
    expect(installs.filter((command) => !command.includes(" --ignore-scripts"))).toEqual([]);
  });

  it("lets no job sign in or attest that runs code of others", () => {
    const jobs = workflow.slice(workflow.indexOf("\njobs:\n")).split(/^ {2}(?=[\w-]+:$)/m);
    const trusted = jobs.filter((job) => /^ +(?:id-token|attestations|contents): write/m.test(job));
    expect(trusted.filter((job) => /npm (?:ci|i|install)\b|npx |go run |actions\/checkout/.test(job))).toEqual([]);
  });
});

it("a release attests what its first job built, and nothing else", () => {
  const [, build = "", attest = ""] = read(`${folder}/release.yml`).split(/^ {2}(?=build:|attest:)/m);
  expect(build).toContain("    permissions:\n      contents: read\n    outputs:");
  expect(attest).toContain("artifact-ids: ${{ needs.build.outputs.artifact }}\n");
  expect(attest).toMatch(
    /SHA256: \$\{\{ needs\.build\.outputs\.sha256 \}\}\n.*sha256sum --check[^]*uses: actions\/attest@/,
  );
});

it("no locked package has a script at installation, apart from those that allowScripts names", () => {
  const locks = trackedFiles().filter((file) => basename(file) === "package-lock.json");
  expect(locks.length).toBeGreaterThan(1);
  const withScripts = locks.flatMap((lock) => {
    const { packages } = JSON.parse(read(lock)) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true }>>;
    };
    return Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [join(dirname(lock), path)] : [],
    );
  });
  const { allowScripts } = JSON.parse(read("package.json")) as { readonly allowScripts: object };
  const allowed = Object.keys(allowScripts).map((name) => join("node_modules", name));
  expect(withScripts).toEqual([".", ...allowed]); // the first is our own, infra/tools/postinstall.cjs
});
