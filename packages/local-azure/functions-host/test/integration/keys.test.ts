import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixture, startHost, type RunningHost } from "./running-host.ts";

let host: RunningHost;
beforeAll(async () => {
  host = await startHost(fixture("http"));
});
afterAll(() => host[Symbol.asyncDispose]());

const ask = async (path: string, key?: string): Promise<number> => {
  const response = await fetch(`${host.url}${path}`, key === undefined ? {} : { headers: { "x-functions-key": key } });
  const text = await response.text();
  if (response.status === 401) expect(text).toBe("");
  return response.status;
};

describe("keys", () => {
  it.each([
    // key                     anonymous, its own function, another function, admin
    ["no key", undefined, [200, 401, 401, 401]],
    ["an empty key", "", [200, 401, 401, 401]],
    ["a wrong key", "wrong", [200, 401, 401, 401]],
    ["a function's key", "a-function-key", [200, 200, 401, 401]],
    ["a host key", "a-host-key", [200, 200, 200, 401]],
    ["the master key", "the-master-key", [200, 200, 200, 200]],
  ])("%s opens what it should and is an empty 401 elsewhere", async (_name, key, statuses) => {
    const paths = ["/text", "/for-function", "/for-other-function", "/for-admins"];
    expect(await Promise.all(paths.map((path) => ask(path, key)))).toEqual(statuses);
  });

  it("may come as ?code=", async () => {
    expect([await ask("/for-function?code=a-host-key"), await ask("/for-function?code=wrong")]).toEqual([200, 401]);
    expect([await ask("/for-function?CODE=a-host-key"), await ask("/for-function?CODE=wrong")]).toEqual([200, 401]);
  });

  it("counts in the header rather than in ?code=, even when it is wrong there", async () => {
    expect(await ask("/for-function?code=wrong", "a-host-key")).toBe(200);
    expect(await ask("/for-function?code=a-host-key", "wrong")).toBe(401);
    expect(await ask("/for-function?code=a-host-key", "")).toBe(401);
  });
});
