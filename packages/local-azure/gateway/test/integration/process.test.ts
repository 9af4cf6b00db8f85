import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { aGateway, headers, subscription } from "./a-gateway.ts";
import { startEchoBackend } from "../../../common/test/echo-backend.ts";
import { policies, policyFolder } from "./policy-folder.ts";

const main = resolve(import.meta.dirname, "../../api-management.ts");

/** Starts the gateway as a process. It ends with the test at the latest. */
async function start(options: Record<string, unknown>, port = 0): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "gateway.json");
  const rest = { directory: await policyFolder(), namedValues: {}, subscriptions: [subscription] };
  await writeFile(config, JSON.stringify({ ...rest, backendUrl: "http://127.0.0.1:1", ...options }));
  const child = fork(main, ["--port", String(port), "--config", config], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: [],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function ready(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error("its output is not read");
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as { ready: boolean; port: number };
    expect(said.ready).toBe(true);
    return said.port;
  }
  throw new Error("it ended before it was ready");
}

/** Its exit code and its message about the reason. */
async function failure(child: ChildProcess): Promise<[unknown, string]> {
  const [[code], said] = await Promise.all([once(child, "exit"), child.stderr ? text(child.stderr) : ""]);
  return [code, said];
}

describe("the gateway as a process", () => {
  it("says where it listens, serves its folder of policies, and ends when its parent lets go", async () => {
    const backend = await startEchoBackend();
    const child = await start({ backendUrl: backend.url });
    const url = `http://127.0.0.1:${await ready(child)}/shop/things/1`;
    expect((await fetch(url, { headers })).status).toBe(200);
    const ended = once(child, "exit");
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  it("accepts faults by a header only if it knows a switch for them", async () => {
    const backend = await startEchoBackend();
    const faults = await startEchoBackend();
    const ask = async (options: object) => {
      const url = `http://127.0.0.1:${await ready(await start({ backendUrl: backend.url, ...options }))}/shop/things/1`;
      return (await fetch(url, { headers: { ...headers, "x-sandbox-fault": "tables=10s" } })).status;
    };
    expect(await ask({ faultSwitch: `${faults.url}/faults` })).toBe(200);
    expect(faults.seen).toMatchObject([{ method: "PUT", url: "/faults/tables", body: '{"kind":"away","seconds":10}' }]);
    expect(await ask({})).toBe(200);
    expect(faults.seen).toHaveLength(1);
    expect(backend.seen.map((seen) => seen.headers["x-sandbox-fault"])).toEqual([undefined, "tables=10s"]);
  });

  const isWindows = process.platform === "win32";
  const because = isWindows ? " (skipped: a signal ends a process on Windows without a word to it)" : "";
  it.skipIf(isWindows).each(["SIGTERM", "SIGINT"] as const)(`ends on %s${because}`, async (signal) => {
    const child = await start({});
    await ready(child);
    const ended = once(child, "exit");
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  });

  it("ends with a sentence that names the port when that is taken", async () => {
    const other = await aGateway({ backendUrl: "http://127.0.0.1:1" });
    const port = Number(new URL(other.url).port);
    const [code, said] = await failure(await start({}, port));
    expect(code).toBe(1);
    expect(said).toContain(`Port ${port}, which the gateway needs, is taken`);
  });

  it("ends with file and line when a policy is not understood", async () => {
    const directory = await policyFolder({ "policies/read.xml": policies({ inbound: "<quota />" }) });
    expect(await failure(await start({ directory }))).toEqual([
      1,
      "gateway: policies/read.xml:3: <quota> is not understood.\n",
    ]);
  });

  it("ends with a sentence when its configuration does not fit", async () => {
    const [code, said] = await failure(await start({ subscriptions: "none" }));
    expect(code).toBe(1);
    expect(said).toContain("subscriptions");
  });
});
