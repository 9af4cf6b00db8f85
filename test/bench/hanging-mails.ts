import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../infra/build.ts";
import { mailSettings, startMailSink } from "../../infra/local/consumer.ts";
import { freePort } from "../../infra/local/common/free-ports.ts";
import { startStack } from "../../infra/local/stack.ts";
import { partnerOn } from "../support/partner.ts";
import { LONG } from "../support/wait-for.ts";
import { webShopOn } from "../support/web-shop.ts";
import { defineBench } from "./bench.ts";
import { median } from "./statistics.ts";

const MAILS = 200;
const VOUCHERS = 10;

/** Vouchers at the till while a mail server hangs. */
export const hangingMails = defineBench({
  means: "a voucher at the till, before and while a mail server hangs with two hundred mails to send",
  options: {},
  async run() {
    await buildApp();
    const directory = await mkdtemp(join(tmpdir(), "hanging-mails-"));
    const [smtp, mails] = [await freePort(), await freePort()];
    const sink = await startMailSink({ smtp, mails }, join(directory, "mails.log"));
    try {
      const stack = await startStack({ ports: "free", directory, settings: mailSettings(smtp) });
      try {
        const shop = webShopOn({ ...stack.file, mails: `http://127.0.0.1:${mails}/mails` });
        const partner = partnerOn(stack.file, await stack.addPartner(), LONG);
        await partner.silent.online();
        const codes: string[] = [];
        while (codes.length < VOUCHERS * 2) codes.push((await shop.token()).code);

        const atTill = async (code: string): Promise<number> => {
          const request = partner.request({ expiresInSeconds: 60 });
          await partner.pay(request);
          const { sessionID } = request;
          const message = await partner.silent.begin(sessionID);
          const began = performance.now();
          const { status } = await partner.discount({ sessionID, discountID: randomUUID(), voucherCode: code });
          if (status !== 202) throw new Error(`add-discount answered ${status}`);
          const offered = await partner.silent.reach("discount", sessionID);
          const ms = performance.now() - began;
          await partner.silent.tell(offered, "discountApplied");
          await partner.silent.tell(message, "declined");
          await partner.until(sessionID, "declined");
          return ms;
        };
        const measure = async (some: readonly string[]) => {
          const took: number[] = [];
          for (const code of some) took.push(await atTill(code));
          return took;
        };
        const before = await measure(codes.slice(0, VOUCHERS));
        process.kill(sink.pid, "SIGSTOP"); // connections are still accepted, without a response
        for (let requested = 0; requested < MAILS; requested += 20)
          await Promise.all(
            Array.from({ length: 20 }, async () => {
              const { status } = await shop.post(shop.request());
              if (status !== 202) throw new Error(`landing-page-request answered ${status}`);
            }),
          );
        const hanging = await measure(codes.slice(VOUCHERS));
        const row = (what: string, ms: readonly number[]) => [
          what,
          Math.round(median(ms)),
          Math.round(Math.max(...ms)),
        ];
        return {
          tables: [
            {
              title: "Milliseconds from add-discount until the terminal has the message",
              columns: ["", "median", "slowest"],
              rows: [row("the mail server responds", before), row(`it hangs, with ${MAILS} mails to send`, hanging)],
            },
          ],
          figures: { tillMs: { before, hanging } },
        };
      } finally {
        process.kill(sink.pid, "SIGCONT");
        await stack.stop();
      }
    } finally {
      await sink.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
});
