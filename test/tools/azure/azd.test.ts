import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { read } from "../../support/pages.ts";
import { root } from "../../support/rooms.ts";
import { azureYaml, before, filesOf, graphOf, hooksOf, isClone, withoutClone } from "./azd.ts";
import { bicep, bicepVersion, isJudged, withoutCompiler } from "./compiler.ts";

// azd requires this of the repository, so that `azd up` works from a clean clone and prompts for nothing unnecessary.

const { layers } = azureYaml.infra;
const { scripts } = JSON.parse(read("package.json")) as { scripts: Readonly<Record<string, string>> };
const hooks = hooksOf(azureYaml);
const graph = graphOf(azureYaml);

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);
const variablesOf = (text: string): string[] => found(text, /readEnvironmentVariable\('(\w+)', ''\)/g);

it("the layers have a name, a folder and a module each, and the folder is named nowhere else", () => {
  expect(layers.map(({ name }) => name)).toEqual(["foundation", "platform"]);
  expect(azureYaml.infra).not.toHaveProperty("path"); // schemas/v1.0/azure.yaml.json: not allowed with layers
  expect(azureYaml.infra).not.toHaveProperty("module");
  expect(azureYaml.requiredVersions.azd).toMatch(/^>= 1\.(2[5-9]|[3-9]\d)\.\d+$/); // infra.layers[].dependsOn came with the graph
});

it.skipIf(!isClone)(`the files that azd reads are in a clean clone: none of them is ignored${withoutClone}`, () => {
  const inputs = layers.flatMap((layer) => Object.values(filesOf(layer)));
  const folder = layers[0]?.path ?? "";
  const imported = inputs.flatMap((file) => found(read(file), /(?:from|module \w+) '([\w./-]+\.bicep)'/g));
  const needed = [...inputs, ...imported.map((file) => `${folder}/${file}`), `${folder}/hooks/installed.js`];
  expect(needed.length).toBeGreaterThan(10);
  expect(needed.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const { status, stdout } = spawnSync("git", ["check-ignore", ...needed], { cwd: root, encoding: "utf8" });
  expect({ status, ignored: stdout }).toEqual({ status: 1, ignored: "" }); // 1: no file is ignored
});

it("the layers have no output in common, which azd refuses", () => {
  // pkg/infra/provisioning/bicep/layer_deps.go, "duplicate output"
  const outputs = layers.flatMap((layer) => found(read(filesOf(layer).template), /^\s*output\s+(\w+)\s+/gm));
  expect(outputs.length).toBeGreaterThan(8);
  expect(outputs.filter((name, at) => outputs.indexOf(name) !== at)).toEqual([]);
});

it("the service is the one in the app's tag", () => {
  const named = found(read("infra/azure/modules/functions.bicep"), /'azd-service-name': '(\w+)'/g);
  expect(named).toEqual(Object.keys(azureYaml.services));
});

describe("the order of azd up", () => {
  it("has the packages before anything runs from them, and installs them once", () => {
    const installing = hooks.filter(({ hook }) => hook.posix.run === "npm run --silent azure:packages");
    expect(installing.map(({ step }) => step)).toEqual(["cmdhook-prepackage"]);
    for (const step of graph.keys())
      if (step !== "cmdhook-prepackage") expect(before(graph, step)).toContain("cmdhook-prepackage");
  });

  it("has the secrets between the foundation and the platform, and the smoke test at the end", () => {
    const stepOf = (script: string) => hooks.find(({ hook }) => hook.posix.run.endsWith(script))?.step ?? "";
    const secrets = stepOf("azure:secrets");
    expect(before(graph, secrets)).toContain("provision-foundation");
    expect(before(graph, "provision-platform")).toContain(secrets);
    expect(before(graph, stepOf("azure:smoke")).size).toBe(graph.size - 1);
  });
});

describe("a hook", () => {
  // `azd provision` runs no project hook of packaging. Before a deployment azd itself installs and builds, because the language is js:
  // pkg/project/framework_service_node.go.
  const comeAfterPackages = ["cmdhook-postdeploy"];

  it.each(hooks)("$step works in a clean clone, by any command that runs it", ({ step, hook }) => {
    expect(azureYaml.services["functions"]).toMatchObject({ language: "js", dist: "dist", remoteBuild: false });
    const script = /^npm run --silent ([\w:]+)$/.exec(hook.posix.run)?.[1] ?? "";
    expect(scripts[script]).toMatch(/^node infra\/tools\/node-version\.js --own && /);
    if (comeAfterPackages.includes(step)) return;
    const installs = `${scripts[`pre${script}`] ?? scripts[script]}`.replace(/^.* && /, "");
    expect(["node infra/azure/hooks/installed.js", "npm ci --ignore-scripts"]).toContain(installs);
  });

  it.each(hooks)("$step is the same on Windows, in words that every shell reads alike", ({ hook }) => {
    expect(hook.windows).toEqual({ shell: "pwsh", run: hook.posix.run });
    expect(hook.posix).toEqual({ shell: "sh", run: expect.stringMatching(/^[\w: -]+$/) });
  });
});

describe("azd prompts for subscription, location and resource group", () => {
  // pkg/infra/provisioning/bicep/bicep_provider.go, EnsureEnv: azd takes a `.bicepparam` next to the template as it is, and prompts for no
  // parameter. For a template of a resource group azd prompts for the group, and creates it.
  it.each(layers)("and no parameter of $name is left without a value", (layer) => {
    const { template, parameters } = filesOf(layer);
    expect(read(template)).not.toContain("targetScope");
    const needed = found(read(template), /^param (\w+) (?![^=\n]*=)(?![^\n]*\?$)/gm);
    expect(needed.length).toBeGreaterThan(2);
    const given = found(read(parameters), /^param (\w+) = /gm);
    expect(needed.filter((name) => !given.includes(name))).toEqual([]);
    expect(read(parameters)).not.toMatch(/readEnvironmentVariable\('\w+'\)/);
  });

  it("both layers read the same variables, and both refuse an environment that lacks one", () => {
    const texts = layers.map((layer) => read(filesOf(layer).parameters));
    const [foundation = [], platform] = texts.map(variablesOf);
    expect(foundation).toEqual(platform);
    const declared = /^type variables = \{$(.*?)^\}$/ms.exec(read("infra/azure/environments.bicep"))?.[1] ?? "";
    expect(foundation).toEqual(["AZURE_ENV_NAME", ...found(declared, /^ {2}(\w+): string$/gm)]);
    for (const text of texts) expect(text).toContain("param environmentName = empty(refusal) ? name : fail(refusal)");
  });
});

describe.skipIf(!isJudged)(`by the compiler of Bicep ${bicepVersion}${withoutCompiler}`, () => {
  const build = (layer: (typeof layers)[number], variables: Readonly<Record<string, string>>) =>
    bicep(["build-params", join(root, filesOf(layer).parameters), "--stdout"], variables);

  it.each(layers)("no parameter of $name is open", async (layer) => {
    const { stdout, stderr } = await build(layer, { AZURE_ENV_NAME: "dev" });
    expect(stderr).toBe("");
    const { templateJson, parametersJson } = JSON.parse(stdout) as Record<string, string>;
    type Parameters = { parameters: Record<string, { defaultValue?: unknown; nullable?: boolean }> };
    const { parameters } = JSON.parse(templateJson ?? "") as Parameters;
    const given = (JSON.parse(parametersJson ?? "") as Parameters).parameters;
    const open = Object.keys(parameters).filter(
      (one) => !("defaultValue" in (parameters[one] ?? {})) && !parameters[one]?.nullable,
    );
    expect(open.filter((one) => !(one in given))).toEqual([]);
  });

  it.each([
    [
      "prod",
      {},
      "prod lacks ACCESS_LOGS_ID, ADMINISTRATORS_PRINCIPAL_ID, ALERTS_EMAIL, AUDIT_DESTINATION_ID, BUDGET_START, ",
    ],
    ["staging", {}, "There is no environment 'staging'"],
    [
      "dev",
      { ACCESS_LOGS_ID: "/providers/Microsoft.OperationalInsights/workspaces/w" },
      "ACCESS_LOGS_ID names no storage account.",
    ],
  ])("%s with %j is refused with a sentence before anything is created", async (name, variables, sentence) => {
    const [foundation] = layers;
    if (!foundation) throw new Error("there is no layer");
    const { code, stderr } = await build(foundation, { ...variables, AZURE_ENV_NAME: name });
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });
});
