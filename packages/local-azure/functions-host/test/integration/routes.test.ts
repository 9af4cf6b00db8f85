import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeTable } from "../../routes.ts";
import { fixture, startHost, type RunningHost } from "./running-host.ts";

describe("in a running app", () => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await startHost(fixture("http"));
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it.each([
    ["/items/newest", "free", { id: "newest" }],
    ["/items/17", "constrained", { id: "17" }],
    ["/items/other", "free", { id: "other" }],
    ["/ITEMS/Newest", "free", { id: "Newest" }],
    ["/items/17/", "constrained", { id: "17" }],
    ["/items/a%20b%2Fc", "free", { id: "a b%2Fc" }],
    ["/pages", "optional", {}],
    ["/pages/2", "optional", { page: "2" }],
    ["/files/a/b.txt", "rest", { path: "a/b.txt" }],
  ])("%s goes to the route that is %s", async (path, name, params) => {
    const response = await fetch(`${host.url}${path}`);
    expect(await response.json()).toEqual({ name, params });
  });

  it.each(["/items", "/items/1/2", "/pages/two", "/items//", "/nowhere"])("%s is an empty 404", async (path) => {
    const response = await fetch(`${host.url}${path}`);
    expect([response.status, await response.text()]).toEqual([404, ""]);
  });

  it("answers 404 to a wrong method, before it looks at keys", async () => {
    expect((await fetch(`${host.url}/items/17`, { method: "POST", body: "x" })).status).toBe(404);
    expect((await fetch(`${host.url}/for-function`, { method: "DELETE" })).status).toBe(404);
  });

  it("takes GET and POST under the function's name below /api, unless the app says otherwise", async () => {
    await using plain = await startHost(fixture("default-prefix"));
    const statuses = await Promise.all([
      fetch(`${plain.url}/api/named-only`),
      fetch(`${plain.url}/api/named-only`, { method: "POST" }),
      fetch(`${plain.url}/api/named-only`, { method: "PUT" }),
      fetch(`${plain.url}/named-only`),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
  });
});

describe("a route parameter", () => {
  const takes = (constraint: string, value: string): boolean => {
    const find = routeTable("", [{ name: "it", template: `{value:${constraint}}`, methods: [], target: "it" }]);
    return find("GET", `/${value}`) !== undefined;
  };

  it.each([
    ["guid", "0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b"],
    ["int", "-2147483648", "2147483648"],
    ["long", "9223372036854775807", "9223372036854775808"],
    ["double", "1.5e3", "1,5"],
    ["bool", "True", "yes"],
    ["alpha", "abc", "ab1"],
    ["datetime", "2026-11-21", "soon"],
    ["length(3)", "abc", "abcd"],
    ["length(2,3)", "ab", "a"],
    ["minlength(2)", "ab", "a"],
    ["maxlength(2)", "ab", "abc"],
    ["min(5)", "5", "4"],
    ["max(5)", "5", "6"],
    ["range(1,3)", "3", "4"],
    ["regex(^[ab]+$)", "ABBA", "abc"],
    ["int:min(1)", "1", "0"],
  ])("of %s takes %s, not %s", (constraint, good, bad) => {
    expect([takes(constraint, good), takes(constraint, bad)]).toEqual([true, false]);
  });

  it("takes its default where the path ends before it", () => {
    const find = routeTable("", [{ name: "pages", template: "pages/{page=1}", methods: [], target: "pages" }]);
    expect([find("GET", "/pages")?.params, find("GET", "/pages/2")?.params]).toEqual([{ page: "1" }, { page: "2" }]);
  });

  it("of the function whose name comes first takes what another one would match better", () => {
    const find = routeTable("", [
      { name: "b", template: "{kind}/{id:int}", methods: ["GET"], target: "constrained" },
      { name: "C", template: "{kind}/all", methods: ["GET"], target: "literal" },
      { name: "a", template: "{kind}/{id:alpha}", methods: ["GET"], target: "alpha" },
    ]);
    expect(["/a/1", "/a/all", "/a/1.5"].map((path) => find("GET", path)?.target)).toEqual([
      "constrained",
      "alpha",
      undefined,
    ]);
  });

  it("shares its path with a function of another method", () => {
    const find = routeTable("api", [
      { name: "read", template: "things", methods: ["GET"], target: "read" },
      { name: "write", template: "things", methods: ["post"], target: "write" },
    ]);
    expect(["GET", "POST"].map((method) => find(method, "/api/things")?.target)).toEqual(["read", "write"]);
  });
});
