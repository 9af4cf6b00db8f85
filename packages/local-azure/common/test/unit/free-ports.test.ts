import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { assertFree, freePort } from "../../free-ports.ts";

it("gives ports that no outgoing connection takes, each once until all of the process's own were given", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
  for (const port of ports) expect(port).toBeLessThan(32_768);
});

it("leaves out a port on which a process listens", async () => {
  const first = await freePort();
  const server = createServer().listen(first, "127.0.0.1");
  await once(server, "listening");
  try {
    const twoRounds: number[] = [];
    for (let i = 0; i < 64; i++) twoRounds.push(await freePort());
    expect(twoRounds).not.toContain(first);
    expect(twoRounds.length).toBeGreaterThan(new Set(twoRounds).size); // each port was tried twice
  } finally {
    server.close();
  }
});

it("names every taken port in one message, with the advice", async () => {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const servers = ports.slice(1).map((port) => createServer().listen(port, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const [free, second, third] = ports;
  const needed = [
    [free, "one"],
    [second, "two"],
    [third, "three"],
  ] as const;
  const sentence = (port: number, part: string) => `Port ${port}, which ${part} needs, is taken.*\n`;
  try {
    await expect(assertFree(needed, "Type this.")).rejects.toThrow(
      new RegExp(`^${sentence(second, "two")}${sentence(third, "three")}Type this\\.$`),
    );
  } finally {
    for (const server of servers) server.close();
  }
});
