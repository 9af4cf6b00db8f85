import { createSocket } from "node:dgram";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { dnsResolver } from "../../../shared/adapters/webhooks/resolve.ts";

const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;

/** A name server that responds with these raw addresses by record type. For other types it responds that the name does not exist. */
async function aNameServer(records: Readonly<Record<number, readonly number[]>>): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = question.readUInt16BE(question.length - 4);
    const address = records[type];
    const header = Buffer.from([0x81, address ? 0x80 : 0x80 | NAME_ERROR, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0]);
    const pointerToName = [0xc0, 12];
    const record = address ? [...pointerToName, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address] : [];
    socket.send(Buffer.concat([query.subarray(0, 2), header, question, Buffer.from(record)]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(async () => {
    const closed = once(socket, "close");
    socket.close();
    await closed;
  });
  return `127.0.0.1:${socket.address().port}`;
}

describe("dnsResolver", () => {
  const ipv6 = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];

  it("finds a name's addresses of both families", async () => {
    const resolve = dnsResolver({ servers: [await aNameServer({ [A]: [8, 8, 8, 8], [AAAA]: ipv6 })] });
    expect(await resolve("partner.example.com")).toEqual(["8.8.8.8", "2606:4700::1111"]);
  });

  it("is satisfied with one family", async () => {
    const resolve = dnsResolver({ servers: [await aNameServer({ [A]: [8, 8, 8, 8] })] });
    expect(await resolve("partner.example.com")).toEqual(["8.8.8.8"]);
  });

  it("rejects when there is no such name", async () => {
    const resolve = dnsResolver({ servers: [await aNameServer({})] });
    await expect(resolve("nobody.example.com")).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});
