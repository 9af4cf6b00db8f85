import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { callbackify } from "node:util";
import { SMTPServer } from "smtp-server";
import { loopbackOnly } from "../../../local-azure/common/loopback-only.ts";
import { readMail, type ReadMail } from "./mime.ts";

/** A delivered mail. Each of several recipients has a copy. */
export interface CaughtMail extends ReadMail {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly address: string;
}

export interface MailSink {
  readonly smtpPort: number;
  readonly port: number;
  close(): Promise<void>;
}

/** The most mails that the sink holds and shows. Older ones are dropped. */
export const MAX_MAILS = 1_000;

/**
 * A mail server that forwards no mail. It keeps mails in memory and shows them at `GET /mails` or `GET /mails?address=…`, oldest first. It
 * rejects addresses that begin with `refuse` permanently. It rejects those that begin with `busy` twice, temporarily.
 */
export async function startMailSink(options: {
  readonly smtpPort: number;
  readonly port: number;
  /** Mails of an earlier sink, oldest first. They are shown too. */
  readonly earlier?: readonly CaughtMail[];
  /** Receives each mail before its sender gets the response. */
  readonly caught?: (mail: CaughtMail) => void;
}): Promise<MailSink> {
  const { caught = () => {}, earlier = [] } = options;
  const mails: CaughtMail[] = [...earlier];
  const turnedAway = new Map<string, number>();
  const keep = async (stream: Readable, recipients: readonly { readonly address: string }[]) => {
    const mail = await readMail(await buffer(stream));
    for (const { address } of recipients) {
      const one = { id: randomUUID(), at: Date.now(), address, ...mail };
      mails.push(one);
      caught(one);
    }
    mails.splice(0, mails.length - MAX_MAILS);
  };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"], // it listens on loopback, without a certificate
    disableReverseLookup: true,
    onRcptTo({ address }, _, callback) {
      const times = turnedAway.get(address) ?? 0;
      if (address.startsWith("refuse")) return callback(refusal(550, `No mailbox ${address}`));
      if (!address.startsWith("busy") || times >= 2) return callback();
      turnedAway.set(address, times + 1);
      callback(refusal(451, "Try again later"));
    },
    onData(stream, { envelope }, callback) {
      callbackify(keep)(stream, envelope.rcptTo, (error) => callback(error));
    },
  });
  // A client that dies in the middle of a mail resets its connection. Only its mail is lost.
  smtp.on("error", ({ message }) => console.error(`A connection failed: ${message}`));
  const http = createServer(
    loopbackOnly(({ url = "" }, response) => {
      const [path, query] = url.split("?"); // not every target can be read as a URL
      const address = new URLSearchParams(query).get("address");
      const shown = mails.filter((mail) => address === null || mail.address.toLowerCase() === address.toLowerCase());
      response.writeHead(path === "/mails" ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(path === "/mails" ? shown : { error: "GET /mails" }));
    }),
  );
  const smtpPort = await listening(smtp.listen(options.smtpPort, "127.0.0.1"));
  const port = await listening(http.listen(options.port, "127.0.0.1"));
  return {
    smtpPort,
    port,
    async close() {
      http.closeAllConnections();
      await Promise.all([
        new Promise((resolve) => http.close(resolve)),
        new Promise<void>((resolve) => smtp.close(resolve)),
      ]);
    },
  };
}

const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });

async function listening(server: Server): Promise<number> {
  if (!server.listening) await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
