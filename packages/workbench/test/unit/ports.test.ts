import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { takenMessage } from "../../start/assert-ports.ts";
import { choosePorts, fixedPorts, publicPorts } from "../../stack/ports.ts";

it("a stack on the fixed ports moves an inner part whose port is taken, and no public one", async () => {
  const server = createServer().listen(fixedPorts.mails, "127.0.0.1");
  await Promise.race([once(server, "listening"), once(server, "error")]); // either way the port is taken now
  try {
    const ports = await choosePorts("fixed");
    expect(ports.mails).not.toBe(fixedPorts.mails);
    expect(ports).toMatchObject({ gateway: publicPorts.gateway, faults: publicPorts.faults });
  } finally {
    server.close();
  }
});

describe("npm start on taken ports", () => {
  const ownedBy = (command: string) => [
    { port: 7092, part: "the live page", owner: { pid: 4711, command, folder: "/home/ada/payments" } },
  ];
  const page = "http://127.0.0.1:7092/";

  it("says where this folder's platform runs", () => {
    expect(takenMessage(ownedBy("node"), { folder: "/here", page: "http://127.0.0.1:1/" })).toContain(
      "already runs: http://127.0.0.1:1/ (from the folder /here)",
    );
  });

  it("says where another folder's platform runs", () => {
    expect(takenMessage(ownedBy("node packages/workbench/start.ts --keep"), undefined)).toContain(
      `already runs: ${page} (from the folder /home/ada/payments)`,
    );
  });

  it("names the process that has a port, and a command to type", () => {
    expect(takenMessage(ownedBy("python3 -m http.server 7092"), undefined)).toMatch(
      /^Port 7092, which the live page needs, is taken by process 4711 \(python3 .*: npm start -- --ports 0$/s,
    );
  });
});
