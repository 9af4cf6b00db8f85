import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { read } from "../../support/pages.ts";
import { root } from "../../support/rooms.ts";
import { skippedIf } from "../../support/skipped.ts";

// azure.yaml, as the Azure Developer CLI reads it. Its rules are those of Azure/azure-dev, cli/azd, from version 1.25 on.

/** Only git knows which files a clean clone has. A source archive is not a clone. */
export const isClone = existsSync(join(root, ".git"));
export const withoutClone = skippedIf(!isClone, "these files are not a clone, and git cannot say what is ignored");

interface Command {
  readonly shell: string;
  readonly run: string;
}
export type Hook = Readonly<Record<"posix" | "windows", Command>>;
type Hooks = Readonly<Record<string, Hook>>;

interface Layer {
  readonly name: string;
  readonly path: string;
  /** `main` if it is left out. */
  readonly module?: string;
  readonly dependsOn?: readonly string[];
  readonly hooks?: Hooks;
}

interface Service {
  readonly language: string;
  readonly dist: string;
  readonly remoteBuild: boolean;
  readonly hooks?: Hooks;
}

interface AzureYaml {
  readonly requiredVersions: { readonly azd: string };
  readonly infra: { readonly layers: readonly Layer[]; readonly path?: string; readonly module?: string };
  readonly hooks: Hooks;
  readonly services: Readonly<Record<string, Service>>;
}

export const azureYaml = parseYaml(read("azure.yaml")) as AzureYaml;

/** The template of a layer and its parameters: pkg/infra/provisioning/bicep/layer_deps.go, resolveBicepPath and resolveParamPaths. */
export const filesOf = ({ path, module = "main" }: Layer) => ({
  template: `${path}/${module}.bicep`,
  parameters: `${path}/${module}.bicepparam`,
});

/**
 * A hook with the folder in which azd runs it. A layer's hook runs in the layer's folder (internal/cmd/provision_graph.go, NewHooksRunner).
 */
export interface PlacedHook {
  readonly step: string;
  readonly folder: string;
  readonly hook: Hook;
}

/** Every hook of azure.yaml, by the step of `azd up` that runs it. */
export function hooksOf({ hooks, infra, services }: AzureYaml): PlacedHook[] {
  return [
    ...Object.entries(hooks).map(([event, hook]) => ({ step: `cmdhook-${event}`, folder: ".", hook })),
    ...infra.layers.flatMap(({ name, path, hooks: own = {} }) =>
      Object.entries(own).map(([event, hook]) => ({ step: `${event}-${name}`, folder: path, hook })),
    ),
    ...Object.entries(services).flatMap(([name, { hooks: own = {} }]) =>
      Object.entries(own).map(([event, hook]) => ({ step: `${event}-${name}`, folder: ".", hook })),
    ),
  ];
}

/**
 * The graph of `azd up`, as internal/cmd/up_graph.go builds it: each step with the steps that it waits for. A layer is three steps here,
 * because its hooks run inside its own step (internal/cmd/provision_graph.go, runProvisionSingleLayer). Everything else runs at the same
 * time.
 */
export function graphOf({ infra, services }: AzureYaml): ReadonlyMap<string, readonly string[]> {
  const { layers } = infra;
  const names = Object.keys(services);
  return new Map<string, readonly string[]>([
    ["cmdhook-prepackage", []],
    ["cmdhook-preprovision", ["cmdhook-prepackage"]],
    ...layers.flatMap(({ name, dependsOn = [] }): [string, string[]][] => [
      [`preprovision-${name}`, ["cmdhook-preprovision", ...dependsOn.map((other) => `postprovision-${other}`)]],
      [`provision-${name}`, [`preprovision-${name}`]],
      [`postprovision-${name}`, [`provision-${name}`]],
    ]),
    ["cmdhook-postprovision", layers.map(({ name }) => `postprovision-${name}`)],
    ["cmdhook-predeploy", ["cmdhook-postprovision"]],
    ...names.map((name): [string, string[]] => [`package-${name}`, ["cmdhook-prepackage"]]),
    ["cmdhook-postpackage", names.map((name) => `package-${name}`)],
    ...names.map((name): [string, string[]] => [`deploy-${name}`, ["cmdhook-predeploy", "cmdhook-postpackage"]]),
    ["cmdhook-postdeploy", names.map((name) => `deploy-${name}`)],
  ]);
}

/** Every step that has ended before a step begins. */
export function before(graph: ReadonlyMap<string, readonly string[]>, step: string): ReadonlySet<string> {
  const waits = graph.get(step);
  if (!waits) throw new Error(`azd has no step ${step}`);
  return new Set(waits.flatMap((other) => [other, ...before(graph, other)]));
}
