import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture, startHost, type RunningHost } from "./running-host.ts";

const limits = fixture("limits");
let host: RunningHost;
beforeAll(async () => {
  host = await startHost(limits);
});
afterAll(() => host[Symbol.asyncDispose]());

const get = (host: RunningHost, path: string) => fetch(`${host.url}${path}`);

describe("host.json", () => {
  it("lets so many requests run, has the next ones wait, and refuses more with an empty 429", async () => {
    await using host = await startHost(limits);
    const held = [get(host, "/held"), get(host, "/held"), get(host, "/text")];
    const refused = async () => {
      const response = await get(host, "/text");
      const headers = ["x-function-scaleout", "x-content-type-options"].map((name) => response.headers.get(name));
      return [response.status, ...headers, await response.text()];
    };
    await expect.poll(refused).toEqual([429, "1", null, ""]); // the throttle comes before host.json's headers are added
    host.send("release");
    expect(await Promise.all(held.map(async (one) => (await one).text()))).toEqual(["released", "released", "plain"]);
    expect((await get(host, "/text")).status).toBe(200);
  });

  it("adds its headers to every other response, and the host its name", async () => {
    for (const path of ["/text", "/nowhere"]) {
      const { headers } = await get(host, path);
      expect([headers.get("x-content-type-options"), headers.get("server")]).toEqual(["nosniff", "Kestrel"]);
    }
  });

  it("has keys that no host knows, which are named", async () => {
    for (const key of ["extensions.http.maxOutstanding", "retires"])
      expect(host.log).toContain(`warning host host.json: no Functions host knows the key "${key}"`);
    expect(host.log.join("\n")).not.toContain("customHeaders");
  });

  it("lets entries through by the longest beginning of their category", async () => {
    await Promise.all([get(host, "/prints"), get(host, "/printed-elsewhere")]);
    await expect
      .poll(() => host.log.filter((line) => !line.includes("host.json")).toSorted())
      .toEqual([
        expect.stringMatching(/^error prints the function failed: Error: told by the host/),
        "information prints an information of the app",
        "printed, a failure",
        "warning printed-elsewhere a warning of its function",
      ]);
  });
});

describe("the worker", () => {
  const RESTARTED = 70;

  it("ends with every call that it has when one takes longer than functionTimeout", async () => {
    await using host = await startHost(limits);
    const calls = ["/hangs", "/held"].map((path) => get(host, path));
    const ended = await Promise.allSettled(calls);
    expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await host.ended).toBe(RESTARTED);
    expect(host.log.join("\n")).toContain("error hangs the function took longer than functionTimeout (2000 ms)");
  });

  it("ends when the app throws outside of a call", async () => {
    await using host = await startHost(limits);
    await expect(get(host, "/throws-later")).rejects.toThrow();
    expect(await host.ended).toBe(RESTARTED);
    expect(host.log.join("\n")).toContain("critical host the app threw outside of a call: Error: outside of a call");
  });
});

describe("an app setting", () => {
  it("switches a function off: 404", async () => {
    await using host = await startHost(limits, { env: { "AzureWebJobs.text.Disabled": "true" } });
    expect((await get(host, "/text")).status).toBe(404);
    expect((await get(host, "/nowhere")).status).toBe(404);
  });

  it("switches the host's own page at the root off", async () => {
    const page = await get(host, "/items/..");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
    await using without = await startHost(limits, { env: { AzureWebJobsDisableHomepage: "true" } });
    expect((await get(without, "/")).status).toBe(204);
  });
});
