import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { skippedIf } from "./skipped.ts";

// Requests to a partner's receiver that no platform sends.

/** Bytes of UTF-8 as a header takes them, one character for each. */
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

/** Headers that no platform sends, each with a wrong value. Without a value, it is missing. */
export function wrongHeaders(now: number): readonly (readonly [name: string, value: string | undefined])[] {
  // The distance of the last ones from the receiver's clock has no absolute value in 64 bits.
  const farthest = [0, 1, 2].map((late) => String(BigInt(Math.floor(now / 1000) + late) - 2n ** 63n));
  const values = {
    "webhook-id": ["é", utf8("é"), "another"],
    "webhook-timestamp": ["now", "1.5", "-1", "²", utf8("²"), utf8("१"), "9".repeat(5_000), ...farthest],
    "webhook-signature": ["é", utf8("é"), "v1", "v1,", ",", "v1,not base64", "v1,²", `v1,${"A".repeat(43)}=`],
  };
  return Object.entries(values).flatMap(([name, some]) =>
    [undefined, "", ...some].map((value) => [name, value] as const),
  );
}

interface SentByStranger {
  readonly port: string;
  /** Those without a value are left out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes after the head. It ends with the response. */
  readonly body: Iterable<string | Uint8Array>;
}

/** Sends a webhook over a connection of its own, and returns the response's status, which may come before the body's end. */
export async function statusFor({ port, headers, body }: SentByStranger): Promise<number> {
  const socket = connect(Number(port), "127.0.0.1");
  socket.setTimeout(20_000, () => socket.destroy(new Error("There was no response within 20 s.")));
  try {
    const status = statusOn(socket);
    const lines = Object.entries({ host: "127.0.0.1", ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}: ${value}\r\n`,
    );
    socket.write(`POST /webhooks HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
    await Promise.race([status, writeAll(socket, body)]);
    return await status;
  } finally {
    socket.destroy();
  }
}

async function statusOn(socket: Socket): Promise<number> {
  let received = "";
  for await (const data of socket.iterator({ destroyOnReturn: false })) {
    received += String(data);
    const [, status] = /^HTTP\/1\.[01] (\d{3}) .*\r\n/.exec(received) ?? [];
    if (status !== undefined && status !== "100") return Number(status);
  }
  throw new Error("There was no response.");
}

async function writeAll(socket: Socket, body: SentByStranger["body"]): Promise<void> {
  for (const part of body) if (!socket.write(part)) await once(socket, "drain");
}

const part = Buffer.alloc(65_536, "x");

/** A body of this many times 64 KiB, whose head says its length or not. */
export const longBody = (parts: number, framing: "declared" | "chunked"): Pick<SentByStranger, "headers" | "body"> =>
  framing === "declared"
    ? { headers: { "content-length": String(parts * part.length) }, body: Array<Buffer>(parts).fill(part) }
    : { headers: { "transfer-encoding": "chunked" }, body: inChunks(parts) };

function* inChunks(parts: number): Iterable<string | Uint8Array> {
  const chunk = Buffer.concat([Buffer.from("10000\r\n"), part, Buffer.from("\r\n")]);
  for (let sent = 0; sent < parts; sent++) yield chunk;
  yield "0\r\n\r\n";
}

/** Why a process' memory cannot be read here. */
export const withoutMemory = skippedIf(!existsSync("/proc/self/status"), "this machine has no /proc");

/** The most memory that a process has used so far, in bytes. */
export async function peakMemory({ pid }: { readonly pid?: number | undefined }): Promise<number> {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kib === undefined) throw new Error(`process ${pid} does not say how much memory it used`);
  return Number(kib) * 1024;
}
