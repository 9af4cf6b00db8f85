import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { curlOf, type ShownRequest } from "../../../live/curl.ts";
import { skippedIf } from "../../../../../test/support/skipped.ts";

/** The arguments that a shell passes to curl, if the command is pasted into it. */
const givenToCurl = (request: ShownRequest): string[] =>
  execFileSync("sh", ["-c", `curl() { for a; do printf '%s\\0' "$a"; done; }; ${curlOf(request)}`], {
    encoding: "utf8",
  })
    .split("\0")
    .slice(0, -1);

const url = "http://127.0.0.1:7080/pos-payment-request";

const isWindows = process.platform === "win32";

describe.skipIf(isWindows)(`a request as a curl command${skippedIf(isWindows, "Windows has no sh")}`, () => {
  it("reaches curl unchanged, with any texts", () => {
    const odd = `it's "$(touch /tmp/x)" \`id\` \\ !! %20 {a,b} [1-3]\nnext line; rm -rf ~ 💳`;
    const given = givenToCurl({ method: "POST", url, headers: [["x-odd", odd]], body: odd });
    expect(given).toEqual(["-sS", "--globoff", "--path-as-is", url, "-H", `x-odd: ${odd}`, "--data-raw", odd]);
  });

  it("reads no file for a body or an address that begins like one", () => {
    const given = givenToCurl({ method: "PUT", url: `${url}/../{a}`, headers: [], body: "@/etc/passwd" });
    expect(given).toEqual([
      "-sS",
      "--globoff",
      "--path-as-is",
      "-X",
      "PUT",
      `${url}/../{a}`,
      "--data-raw",
      "@/etc/passwd",
    ]);
  });

  it("leaves out headers that curl adds itself, and keeps empty headers", () => {
    const headers = [
      ["Host", "127.0.0.1"],
      ["content-length", "3"],
      ["apikey", "key"],
      ["x-empty", ""],
    ] as const;
    expect(givenToCurl({ method: "GET", url, headers })).toEqual([
      "-sS",
      "--globoff",
      "--path-as-is",
      url,
      "-H",
      "apikey: key",
      "-H",
      "x-empty;",
    ]);
  });
});
