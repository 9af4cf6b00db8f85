import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { ServiceBusClient } from "@azure/service-bus";
import { TableClient } from "@azure/data-tables";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../free-ports.ts";
import { installedPackage, linkPackage, packageFolder } from "./installed-package.ts";
import { listening } from "./listening.ts";

// Tests each emulator as its users get it: its tarball in an empty folder, started by the commands of its README, called by an official
// client.

const run = promisify(execFile);
const emulators = resolve(import.meta.dirname, "../..");
const onWindows = process.platform === "win32";
const withoutShell = onWindows ? " (skipped: the READMEs are for a POSIX shell)" : "";

interface Installed {
  readonly folder: string;
  /** The README's commands before the program's start, the program with its arguments, and the commands in another terminal. */
  readonly before: string;
  readonly start: readonly string[];
  readonly after: string;
}

/** An emulator from its tarball, with these ports instead of those of its README. */
async function installed(emulator: string, ports: Readonly<Record<string, number>> = {}): Promise<Installed> {
  const { folder, target, bin } = await installedPackage(join(emulators, emulator), ["@azure/functions", "azurite"]);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let [, words = ""] = /```sh\n([^]*?)```/.exec(await readFile(join(target, "README.md"), "utf8")) ?? [];
  for (const [port, free] of Object.entries(ports)) words = words.replaceAll(port, String(free));
  const lines = words.split("\n").filter((line) => !line.startsWith("npm install"));
  const at = lines.findIndex((line) => line.startsWith("npx "));
  const [, program = "", ...args] = (lines[at] ?? "").split(" ");
  return {
    folder,
    before: lines.slice(0, at).join("\n"),
    start: [join(target, bin[program] ?? ""), ...args],
    after: lines.slice(at + 1).join("\n"),
  };
}

/** Runs the README's commands before the program, and starts the program. Resolves when a line of its output matches `ready`. */
async function started({ folder, before, start }: Installed, ready: RegExp): Promise<ChildProcess> {
  await run("bash", ["-euc", before], { cwd: folder });
  const child = spawn(process.execPath, start, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await ended;
  });
  for await (const line of createInterface({ input: child.stdout })) if (ready.test(line)) return child;
  throw new Error(`${start.join(" ")} ended before it was ready`);
}

describe.skipIf(onWindows)(`an emulator from its tarball, by its README${withoutShell}`, () => {
  it("Service Bus carries a message of the official client", async () => {
    const port = await freePort();
    await started(await installed("service-bus", { 5672: port }), /"ready":true/);
    await using ends = new AsyncDisposableStack();
    const connection = `Endpoint=sb://localhost:${port};SharedAccessKeyName=any;SharedAccessKey=any;UseDevelopmentEmulator=true;`;
    const client = ends.adopt(new ServiceBusClient(connection), (opened) => opened.close());
    await client.createSender("orders").sendMessages({ body: "one coffee" });
    const received = await client.createReceiver("orders").receiveMessages(1);
    expect(received.map(({ body }) => String(body))).toEqual(["one coffee"]);
  });

  it("Azurite keeps an entity of the official client", async () => {
    const port = await freePort();
    await started(await installed("azurite", { 10002: port }), /successfully started/);
    const key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    const account = `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${key};`;
    const table = TableClient.fromConnectionString(
      `${account}TableEndpoint=http://127.0.0.1:${port}/devstoreaccount1;`,
      "orders",
      { allowInsecureConnection: true },
    );
    await table.createTable();
    await table.createEntity({ partitionKey: "a", rowKey: "1", coffee: true });
    expect(await table.getEntity("a", "1")).toMatchObject({ coffee: true });
  });

  it("the Functions host runs an app of the official library", async () => {
    const port = await freePort();
    const host = await installed("functions-host", { 7071: port });
    await started(host, /"ready":true/);
    const { stdout } = await run("bash", ["-euc", host.after], { cwd: host.folder });
    expect(stdout).toBe("Hello, Ada!in");
  });

  it("the gateway runs policy files, and asks for a subscription", async () => {
    const backend = createServer((request, response) => response.end(`for ${String(request.headers["x-shop"])}`));
    const port = await freePort();
    const gateway = await installed("gateway", { 7080: port, 9000: await listening(backend) });
    await started(gateway, /"ready":true/);
    const { stdout } = await run("bash", ["-euc", gateway.after], { cwd: gateway.folder });
    expect(stdout).toMatch(/^HTTP\/1\.1 401 /);
    expect(stdout).toMatch(/HTTP\/1\.1 200 [^]*\r\n\r\nfor Ada$/);
  });

  it.each([
    ["service-bus", "startBroker"],
    ["functions-host", "startFunctionsHost"],
    ["gateway", "startGateway"],
  ])("%s is imported with its types", async (emulator, called) => {
    const { folder, start } = await installed(emulator);
    const name = /node_modules\/([\w-]+)\//.exec(start[0] ?? "")?.[1] ?? "";
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    await writeFile(
      join(folder, "use.ts"),
      `import { ${called} } from "${name}";\nexport const use: (o: Parameters<typeof ${called}>[0]) => unknown = ${called};\n// @ts-expect-error it has options\n${called}();\n`,
    );
    await linkPackage("@types/node", folder, emulators);
    const compiler = join(packageFolder("typescript", emulators), "bin/tsc");
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--types",
      "node",
      "use.ts",
    ];
    await run(process.execPath, [compiler, ...options], { cwd: folder });
  });
});
