import { afterAll, beforeAll, expect, it } from "vitest";
import { fixture, startHost, type RunningHost } from "./running-host.ts";

let host: RunningHost;
beforeAll(async () => {
  host = await startHost(fixture("hooks"));
});
afterAll(() => host[Symbol.asyncDispose]());

const get = async (path: string) => {
  const response = await fetch(`${host.url}${path}`);
  return { status: response.status, text: await response.text() };
};

it("runs hooks around each invocation, with data of their own", async () => {
  await get("/events"); // afterwards only the end of this call is recorded
  await get("/logs");
  expect(JSON.parse((await get("/events")).text)).toEqual(["after events", "before", "after logs", "before"]);
});

it("lets a hook put another function in place", async () => {
  expect(await get("/replaced")).toEqual({ status: 200, text: "another function" });
});

it("lets a hook turn an error into a result", async () => {
  expect(await get("/throws")).toEqual({ status: 418, text: "healed" });
});

it("lets a hook change what the app logs", async () => {
  await get("/logs");
  await expect.poll(() => host.log).toContain("information logs [seen] a word of the app");
});

it("tells the app of its start and of its end", async () => {
  await using own = await startHost(fixture("hooks"));
  expect(await (await fetch(`${own.url}/events`)).json()).toEqual(["app start", "before"]);
  own.send("stop");
  expect(await own.ended).toBe(0);
  expect(own.log).toContain("the app was told that it ends");
});
