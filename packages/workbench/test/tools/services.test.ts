import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startFunctionsHost } from "../../stack/processes.ts";
import { builtApp } from "../../../../infra/tools/built-app.ts";
import { freePort } from "../../../local-azure/common/free-ports.ts";
import { linesOf } from "../../../../infra/tools/lines.ts";

let directory: string;
let services: ChildProcess | undefined;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "services-"))));
afterEach(async () => {
  if (services?.exitCode === null) {
    services.kill("SIGKILL"); // its parts end with it
    await once(services, "exit");
  }
  await rm(directory, { recursive: true, force: true });
});

/** Starts `npm run services` on free ports. Resolves with its output until it was ready. */
async function startServices(settings: string): Promise<readonly string[]> {
  const script = fileURLToPath(new URL("../../services.ts", import.meta.url));
  services = spawn(process.execPath, [script, "--ports", "0", "--settings", settings], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  for await (const line of linesOf(services.stdout ?? process.stdin)) {
    said.push(line);
    if (line.endsWith("Now: func start")) return said;
  }
  throw new Error(`the services ended: ${said.join("\n")}`);
}

const stopServices = async (): Promise<number | null> => {
  services?.kill("SIGINT");
  if (services?.exitCode === null) await once(services, "exit");
  return services?.exitCode ?? null;
};

it("are everything that the built app needs: it is healthy on them, with the settings as they were written", async () => {
  const settings = join(directory, "settings.json");
  await startServices(settings);
  const { Values } = JSON.parse(await readFile(settings, "utf8")) as { Values: Record<string, string> };
  // The real host keeps its locks and keys in these. The local one does not use them.
  const endpoints = [...(Values["AzureWebJobsStorage"] ?? "").matchAll(/(Blob|Queue|Table)Endpoint=([^;]+)/g)];
  const answered = endpoints.map(async ([, service, url = ""]) => [service, (await fetch(url)).headers.get("server")]);
  expect(await Promise.all(answered)).toEqual([
    ["Blob", expect.stringMatching(/^Azurite-Blob/)],
    ["Queue", expect.stringMatching(/^Azurite-Queue/)],
    ["Table", expect.stringMatching(/^Azurite-Table/)],
  ]);
  const keysFile = join(directory, "keys.json");
  await writeFile(keysFile, JSON.stringify({ master: "the-master-key", host: {}, functions: {} }));
  const host = await startFunctionsHost({
    port: await freePort(),
    logFile: join(directory, "functions.log"),
    keysFile,
    app: builtApp,
    settings: Values,
  });
  try {
    const health = () => fetch(`http://127.0.0.1:${host.ready.port}/health/detail?code=the-master-key`);
    await expect.poll(async () => (await health()).json()).toMatchObject({ status: "well" });
  } finally {
    await host.stop();
  }
  expect(await stopServices()).toBe(0);
});
