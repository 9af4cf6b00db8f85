import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedPorts, publicPorts } from "../../packages/workbench/stack/ports.ts";
import launch from "../../.vscode/launch.json" with { type: "json" };
import tasks from "../../.vscode/tasks.json" with { type: "json" };
import container from "../../.devcontainer/devcontainer.json" with { type: "json" };
import extensions from "../../.vscode/extensions.json" with { type: "json" };
import project from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");

describe("the settings of editors", () => {
  it("start existing files and scripts", () => {
    const programs = launch.configurations.flatMap(({ program }) => program ?? []);
    expect(programs.filter((program) => !existsSync(program.replace(/^\$\{workspaceFolder\}/, root)))).toEqual([]);
    for (const { runtimeArgs } of launch.configurations)
      if (runtimeArgs !== undefined) expect(Object.keys(project.scripts)).toContain(runtimeArgs[0]);
    // npm start builds into dist, and with --watch into .local/app.
    for (const { outFiles } of launch.configurations)
      if (outFiles !== undefined) expect(outFiles.map((files) => files.split("/")[1])).toEqual(["dist", ".local"]);
    for (const { script } of tasks.tasks)
      if (script !== undefined) expect(Object.keys(project.scripts)).toContain(script);
  });

  it("forward ports of the stack out of a container, each with a label, including all that a person opens", () => {
    const ports: readonly number[] = container.forwardPorts;
    expect(Object.values(fixedPorts)).toEqual(expect.arrayContaining([...ports]));
    expect(Object.keys(container.portsAttributes).map(Number)).toEqual(ports);
    expect(ports).toEqual(expect.arrayContaining([...Object.values(publicPorts), fixedPorts.mails]));
  });

  it("have the Node that Azure runs, and the same extensions inside and outside a container", () => {
    expect(container.image).toMatch(/:24$/);
    expect(container.customizations.vscode.extensions).toEqual(extensions.recommendations);
  });
});
