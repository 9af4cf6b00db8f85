import { describe, expect, it } from "vitest";
import { upload } from "../../../common/test/endless-upload.ts";
import { fixture, spawnHost, startHost } from "./running-host.ts";

const MB = 1024 * 1024;
const limit = { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: "65536" };

describe("a body at the host", () => {
  it("is taken up to the limit that the app setting names, and a longer one is cut off as a call that failed", async () => {
    await using host = await startHost(fixture("http"), { env: limit });
    const url = `${host.url}/echo`;
    const post = (length: number) => fetch(url, { method: "POST", body: "x".repeat(length) });
    expect(((await (await post(65_536)).json()) as { body: string }).body).toHaveLength(65_536);
    const refused = await post(65_537);
    expect([refused.status, await refused.text()]).toEqual([500, ""]);
    const why =
      /^error echo the function failed: .*Request body too large\. The max request body size is 65536 bytes\./;
    await expect.poll(() => host.log).toContainEqual(expect.stringMatching(why));
    const sent = await upload({ url, method: "POST", bytes: 200 * MB, isChunked: false });
    expect(sent.status).toBe(500);
    expect(sent.taken).toBeLessThan(40 * MB);
  });

  it.each(["GET", "POST"])(
    "that is chunked is not read, and cut off once the function has answered (%s)",
    async (method) => {
      await using host = await startHost(fixture("http"), { env: limit });
      const sent = await upload({ url: `${host.url}/echo`, method, bytes: 200 * MB, isChunked: true });
      expect(sent.status).toBe(200);
      expect(sent.taken).toBeLessThan(40 * MB);
    },
  );

  it("needs a limit that is a number of bytes", async () => {
    await using host = await spawnHost(fixture("http"), { env: { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: "64 KiB" } });
    expect(await host.ended).toBe(1);
    expect(host.log.join("\n")).toContain("FUNCTIONS_REQUEST_BODY_SIZE_LIMIT 64 KiB is no number of bytes");
  });
});
