import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../local-azure/common/free-ports.ts";
import { startFrontEnd } from "../../stack/processes.ts";
import { startEchoBackend, type EchoBackend } from "../../../local-azure/common/test/echo-backend.ts";

const portOf = ({ url }: EchoBackend) => Number(new URL(url).port);

const frontEndOf = async (...hosts: readonly number[]): Promise<string> => (await startedFrontEnd(...hosts)).url;

async function startedFrontEnd(...hosts: readonly number[]) {
  const directory = await mkdtemp(join(tmpdir(), "front-end-"));
  const child = await startFrontEnd({ port: 0, logFile: join(directory, "front-end.log"), hosts });
  onTestFinished(async () => {
    await child.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return { url: `http://127.0.0.1:${child.ready.port}`, channel: child.channel };
}

const put = (url: string) =>
  fetch(`${url}/a/path?and=more`, { method: "PUT", headers: { apikey: "k" }, body: "a body" });

it("distributes requests over the hosts in turn, and passes them on unchanged", async () => {
  const hosts = [await startEchoBackend(), await startEchoBackend()];
  const url = await frontEndOf(...hosts.map(portOf));

  for (let i = 0; i < 4; i++) expect(await (await put(url)).text()).toBe("{}");

  for (const { seen } of hosts) {
    expect(seen).toHaveLength(2);
    expect(seen[0]).toMatchObject({ method: "PUT", url: "/a/path?and=more", body: "a body", headers: { apikey: "k" } });
  }
});

it("uses the living host while the other is dead", async () => {
  const living = await startEchoBackend();
  const url = await frontEndOf(await freePort(), portOf(living));

  for (let i = 0; i < 3; i++) expect((await put(url)).status).toBe(200);

  expect(living.seen).toHaveLength(3);
});

it("does not repeat a request that a host received: the caller learns that the outcome is unknown", async () => {
  const dying = await startEchoBackend((response) => response.socket?.destroy());
  const living = await startEchoBackend();
  const url = await frontEndOf(portOf(dying), portOf(living));

  expect((await put(url)).status).toBe(502);

  expect(dying.seen).toHaveLength(1);
  expect(living.seen).toEqual([]);
});

it("reports that there is no host at present", async () => {
  const answer = await put(await frontEndOf(await freePort(), await freePort()));

  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("1");
});

it("ends the host's request when its caller leaves", async () => {
  const host = await startEchoBackend(() => {});
  const url = await frontEndOf(portOf(host));
  const leaving = new AbortController();

  const asked = fetch(url, { signal: leaving.signal }).catch(() => "left");
  await expect.poll(() => host.seen.length).toBe(1);
  leaving.abort();

  expect(await asked).toBe("left");
  await host.abandoned;
});

it("gives a removed host no new request, reports when it has responded to its last one, and puts it back", async () => {
  const waiting: ServerResponse[] = [];
  const [leaving, staying] = [await startEchoBackend((response) => waiting.push(response)), await startEchoBackend()];
  const { url, channel } = await startedFrontEnd(portOf(leaving), portOf(staying));
  const told: unknown[] = [];
  channel.on("message", (message) => told.push(message));
  const asked = put(url);
  await expect.poll(() => leaving.seen.length).toBe(1);

  channel.send?.({ takeOut: portOf(leaving) });
  while (staying.seen.length < 4) expect((await put(url)).status).toBe(200);
  expect([leaving.seen.length, told]).toEqual([1, []]);
  waiting[0]?.end();
  expect((await asked).status).toBe(200);
  await expect.poll(() => told).toEqual([{ takenOut: portOf(leaving) }]);

  channel.send?.({ putIn: portOf(leaving) });
  const again = [put(url), put(url)];
  await expect.poll(() => leaving.seen.length).toBe(2);
  waiting[1]?.end();
  for (const answer of again) expect((await answer).status).toBe(200);
});
