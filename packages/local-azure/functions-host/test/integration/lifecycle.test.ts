import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { fixture, spawnHost, startHost, type HostProcess } from "./running-host.ts";

describe("starting", () => {
  it("says on one line where it listens and what it serves", async () => {
    await using host = await startHost(fixture("default-prefix"));
    expect(host.output).toEqual([`{"ready":true,"port":${host.port},"functions":["named-only"]}`]);
  });

  it("needs nothing but the folder of the bundle", async () => {
    const directory = await mkdtemp(join(tmpdir(), "deployed-"));
    try {
      await build({
        entryPoints: [join(fixture("http"), "app.cjs")],
        outfile: join(directory, "app.cjs"),
        bundle: true,
        platform: "node",
        external: ["@azure/functions-core"],
      });
      await writeFile(join(directory, "package.json"), '{ "main": "app.cjs" }');
      await copyFile(join(fixture("http"), "host.json"), join(directory, "host.json"));
      await using host = await startHost(directory);
      expect(await (await fetch(`${host.url}/text`)).text()).toBe("plain");
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.each([
    ["a timer", 'function "tidy": the trigger "timerTrigger" is not supported here'],
    ["an output binding", 'function "send": output bindings ("serviceBus") are not supported here'],
    ["a topic", "only queues are supported, not topics"],
    ["a session", "sessions are not supported"],
    ["a missing setting", 'function "q" needs the app setting "NOT_SET", which is missing or empty'],
    ["a missing name", 'function "q" needs the app setting "NOT_SET", which is missing or empty'],
    ["a name taken", 'A function with id "twice" has already been registered.'],
    ["a route taken", 'route "same/{id}" is taken by another function'],
    ["a route of the host", 'route "admin": the host keeps this path for itself'],
    ["an unknown constraint", 'route "{id:prime}": there is no route constraint "prime"'],
    ["streams", "the app asks for HTTP streams, which are not supported here"],
    ["no function", "registered no function"],
    ["a mistake", "a mistake in the app"],
  ])("is refused for %s, with a sentence that says so", async (refused, sentence) => {
    await using host = await spawnHost(fixture("refused"), {
      env: { REFUSED: refused, BUS: "Endpoint=sb://localhost" },
    });
    expect(await host.ended).toBe(1);
    expect(host.log.join("\n")).toContain(sentence);
    expect(host.output).toEqual([]);
  });

  it("is refused with a sentence when the folder holds no app", async () => {
    await using host = await spawnHost(fixture("nowhere"));
    expect(await host.ended).toBe(1);
    expect(host.log.join("\n")).toMatch(/host\.json cannot be read/);
  });

  it("is refused with a sentence when the port is taken", async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, "127.0.0.1", () => {
        const address = other.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
    try {
      await using host = await spawnHost(fixture("default-prefix"), { port });
      expect(await host.ended).toBe(1);
      expect(host.log.join("\n")).toContain(`port ${port} is taken`);
    } finally {
      other.close();
    }
  });

  it("explains itself when it is called wrongly", async () => {
    await using host = await spawnHost("", { args: ["--directory", "somewhere"] });
    expect(await host.ended).toBe(2);
    expect(host.log.join("\n")).toContain("functions-host: --directory <folder");
  });
});

describe("stopping", () => {
  it.each<[string, (host: HostProcess) => void, azureStop?: number]>([
    ["SIGTERM", (host) => host.signal("SIGTERM")],
    ["SIGTERM, as Azure's host stops,", (host) => host.signal("SIGTERM"), 30],
    ["SIGINT", (host) => host.signal("SIGINT")],
    ['the message "stop"', (host) => host.send("stop")],
    ["the end of its parent", (host) => host.disconnect()],
  ])("by %s lets the request that runs finish, takes no other and exits with 0", async (_name, stop, azureStop) => {
    await using host = await startHost(fixture("http"), { ...(azureStop !== undefined && { azureStop }) });
    const answer = fetch(`${host.url}/until-stopped`);
    await expect.poll(() => host.log).toContain("information until-stopped waits");
    stop(host);
    expect(await (await answer).text()).toBe("finished");
    expect(await host.ended).toBe(0);
    await expect(fetch(`${host.url}/text`)).rejects.toThrow("fetch failed");
  });

  it.each<[azureStop: number | undefined, string]>([
    [undefined, "at the drain"],
    [1, "cut"],
  ])("with a request that waits, as Azure's host after %s s: %s", async (azureStop, end) => {
    await using host = await startHost(fixture("hooks"), { ...(azureStop !== undefined && { azureStop }) });
    const waiting = fetch(`${host.url}/waits`).then(
      (response) => response.text(),
      () => "cut",
    );
    await expect.poll(() => host.log).toContain("information waits [seen] waits");
    host.signal("SIGTERM");
    expect(await waiting).toBe(end);
    expect(await host.ended).toBe(0);
    expect(host.log).toContain("the app was told that it ends");
  });
});
