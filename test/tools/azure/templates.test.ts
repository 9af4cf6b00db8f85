import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  environments,
  evaluate,
  landingZones,
  readSnapshot,
  snapshotFile,
  takeDifference,
  takeSnapshot,
  variablesOf,
} from "../../../infra/azure/snapshots.ts";
import { read } from "../../support/pages.ts";
import { root } from "../../support/rooms.ts";
import { appSettings } from "./app-settings.ts";
import { bicep, bicepVersion, isJudged, withoutCompiler } from "./compiler.ts";
import { roles, unknownRoles } from "./roles.ts";
import { Broken } from "./rules.ts";
import { rulesOfSafety } from "./safety.ts";
import { rulesOfWiring } from "./wiring.ts";

const templates = join(root, "infra/azure");

describe.skipIf(!isJudged)(`the compiler of Bicep ${bicepVersion}${withoutCompiler}`, () => {
  it.each(["foundation.bicep", "main.bicep", "ci.bicep"])("compiles and lints %s without a warning", async (file) => {
    const path = join(templates, file);
    const [built, linted] = await Promise.all([bicep(["build", path, "--stdout"]), bicep(["lint", path])]);
    expect({ ...built, stdout: "" }).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(linted).toEqual({ code: 0, stdout: "", stderr: "" });
    // Azure accepts a template of up to 4 MB, with no resource above 1 MB.
    const { resources } = JSON.parse(built.stdout) as { resources: object };
    const sizes = Object.values(resources).map((resource) => JSON.stringify(resource).length);
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
    expect(built.stdout.length).toBeLessThan(4 * 1024 * 1024);
  });

  it.each(environments)("accepts the parameters of %s, and produces the committed snapshot", async (environment) => {
    expect(await readFile(snapshotFile(environment), "utf8"), "else: npm run azure:snapshots").toBe(
      await takeSnapshot(environment),
    );
  });

  it.each(Object.keys(landingZones))("accepts %s, and produces the committed difference", async (landingZone) => {
    expect(await readFile(snapshotFile(landingZone), "utf8"), "else: npm run azure:snapshots").toBe(
      await takeDifference(landingZone),
    );
  });

  it("gives each resource the name and the tags of a team's own convention", async () => {
    const [, standard = ""] = /=> (\{\n  identity:[^]*?\n\})/.exec(read("infra/azure/modules/names.bicep")) ?? [];
    const own = standard.replaceAll(/(\w+): '[^']+'/g, (_, key: string) => `${key}: 'own${key.toLowerCase()}x'`);
    const unique = /kv-app-prod-(\w+)/.exec(read("infra/azure/snapshots/prod.json"))?.[1] ?? "";
    let text = JSON.stringify(await evaluate("prod", `names: ${own}\ntags: { team: 'tills' }`));
    expect(text).not.toContain(unique);
    expect(text.match(/"team":"tills",/g)?.length).toBe(text.match(/"azd-env-name":/g)?.length);
    for (const [, key = "", name = ""] of standard.matchAll(/(\w+): '([^']+)'/g))
      text = text.replaceAll(
        `own${key.toLowerCase()}x`,
        name.replace("${environmentName}", "prod").replace("${unique}", unique),
      );
    // A role assignment is named by its scope.
    const unnamed = (json: string) => json.replaceAll(/"name":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, "");
    expect(unnamed(text.replaceAll('"team":"tills",', ""))).toBe(unnamed(JSON.stringify(await readSnapshot("prod"))));
  });

  describe("refuses", () => {
    let copy: string;
    beforeAll(async () => {
      copy = await mkdtemp(join(tmpdir(), "templates-"));
      await cp(templates, copy, { recursive: true });
    });
    afterAll(() => rm(copy, { recursive: true, force: true }));

    it.each([
      [
        "a loop beside a spread",
        "storage",
        "ipRules: map(operatorAddresses, address => { value: address })",
        "ipRules: [for address in operatorAddresses: { value: address }]",
        "BCP417",
      ],
      ["a value of another type", "service-bus", "disableLocalAuth: true", "disableLocalAuth: 'true'", "BCP036"],
      ["a property that Azure does not have", "vault", "enableSoftDelete: true", "enableSoftDeletion: true", "BCP089"],
    ])("%s", async (_, module, right, wrong, code) => {
      const path = join(copy, `modules/${module}.bicep`);
      const text = await readFile(path, "utf8");
      expect(text).toContain(right);
      await writeFile(path, text.replace(right, wrong));
      const { stderr } = await bicep(["lint", path]);
      await writeFile(path, text);
      expect(stderr).toContain(code);
    });
  });
});

it("the compiler of the workflow is that of .ci/run", () => {
  for (const workflow of ["ci", "api-versions"])
    expect(read(`.github/workflows/${workflow}.yml`)).toContain(`az bicep install --version v${bicepVersion}\n`);
});

const rules = [...rulesOfSafety, ...rulesOfWiring, appSettings, roles];

describe.each(environments)("the parameters of %s", async (environment) => {
  const snapshot = await readSnapshot(environment);
  it.each(rules)("$name", async ({ find }) => {
    expect(await find(snapshot, environment)).toEqual([]);
  });
});

it.each(rules)("a broken copy is noticed: $name", async ({ find, breakIt }) => {
  const copy = new Broken(await readSnapshot("prod"));
  breakIt(copy);
  expect(await find(copy.snapshot, "prod")).not.toEqual([]);
});

it("the pipeline may assign the roles of the templates, and no other", () => {
  expect(unknownRoles()).toEqual([]);
  const pipeline = read("infra/azure/modules/ci.bicep");
  expect(pipeline).toContain("conditionVersion: '2.0'");
  expect(pipeline).toContain("condition: ofTheTemplates");
  expect(pipeline).toMatch(
    /^var ofTheTemplates = .*write.* OR \$\{isOfTheTemplates\('@Request', .*delete.* OR \$\{isOfTheTemplates\('@Resource', /m,
  );
  const limit = (name: string) =>
    String.raw`\$\{side\}\[Microsoft\.Authorization/roleAssignments:${name}\] ForAnyOfAnyValues:\w+ \{.*\}`;
  expect(pipeline).toMatch(new RegExp(["RoleDefinitionId", "PrincipalType", "PrincipalId"].map(limit).join(" AND ")));
  expect(pipeline).toContain("{${join(map(items(roles), role => role.value), ', ')}}");
  expect(pipeline).not.toMatch(/locks\/(?:\*|delete)|actions: \['\*'/);
});

describe("a resource that depends on another one is created after it", () => {
  /** The text of a declaration, with the decorator above it. */
  const declared = (file: string, kind: "module" | "resource", name: string): string =>
    new RegExp(`(?:^@[^\\n]*\\n)?^${kind} ${name} [^]*?^[}\\]]$`, "m").exec(read(`infra/azure/${file}`))?.[0] ?? "";

  it.each([
    ["main.bicep", "module", "roles", "dependsOn: [storage, bus]"],
    ["main.bicep", "module", "functions", "dependsOn: [roles, gatewayService]"], // roles take minutes to take effect
    ["main.bicep", "module", "gateway", "dependsOn: [gatewayRoles]"],
    ["modules/apim-gateway.bicep", "resource", "fragment", "dependsOn: [namedValue, secretNamedValue]"],
    ["modules/apim-gateway.bicep", "resource", "global", "dependsOn: [fragment]"],
    ["modules/apim-gateway.bicep", "module", "api", "dependsOn: [global]"],
    ["modules/apim-gateway.bicep", "resource", "partners", "dependsOn: [api]"],
    // API Management takes one change of its APIs at a time.
    ["modules/apim-gateway.bicep", "module", "api", "@batchSize(1)"],
    ["modules/apim-api.bicep", "resource", "operationPolicy", "@batchSize(1)"],
  ] as const)("%s: %s %s has %s", (file, kind, name, words) => {
    expect(declared(file, kind, name)).toContain(words);
  });

  it("the app's roles do not wait for the gateway", () => {
    expect(declared("main.bicep", "module", "roles")).not.toMatch(/gateway/i);
  });
});

it.each(["ci.bicep", "foundation.bicep", "main.bicep"])("%s takes a name of at most 8 characters", (file) => {
  expect(read(`infra/azure/${file}`)).toContain("@maxLength(8)\nparam environmentName string");
});

it("a suppression of the linter has its reason next to it", async () => {
  const files = (await readdir(templates, { recursive: true })).filter((file) => file.endsWith(".bicep"));
  const lines = await Promise.all(
    files.map(async (file) => (await readFile(join(templates, file), "utf8")).split("\n")),
  );
  const bare = (line: string) =>
    /#disable-|#restore-/.test(line) && !/#disable-next-line [\w-]+ \/\/ \S.{19,}/.test(line);
  expect(lines.flat().filter(bare)).toEqual([]);
});

it("each variable of prod has its value in the snapshot", () => {
  const named = [...read("infra/azure/main.bicepparam").matchAll(/readEnvironmentVariable\('(\w+)'/g)];
  expect(Object.keys(variablesOf["prod"] ?? {}).toSorted()).toEqual(
    [...new Set(named.map(([, name = ""]) => name))].toSorted(),
  );
});
