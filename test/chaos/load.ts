import { setTimeout as sleep } from "node:timers/promises";
import { startAutopilot } from "../../infra/local/terminal/autopilot.ts";
import type { TerminalMessage, TerminalReport } from "../../infra/local/terminal/terminal-client.ts";
import type { partnerOn } from "../support/partner.ts";
import type { Random } from "../support/seeded-random.ts";
import type { startWebhookServer } from "../support/webhook-server.ts";

type Partner = ReturnType<typeof partnerOn>;
type WebhookServer = Pick<Awaited<ReturnType<typeof startWebhookServer>>, "url" | "received">;

const over = ["authorized", "captured", "voided", "cancelled", "declined", "expired", "failed"];

/** What a terminal did: its own word, independent of the platform's. */
export interface Deed {
  readonly sessionID: string;
  readonly messageID: string;
  readonly asked: string;
  readonly told: string;
  readonly chargeID: string | undefined;
  readonly refundID: string | undefined;
  /** In the currency's major unit. */
  readonly amount: number | undefined;
}

/** What a partner was told: the sessions acknowledged with 2xx. */
export interface Promised {
  readonly sessionID: string;
  readonly wanted: string;
}

export interface Load {
  readonly promised: readonly Promised[];
  readonly deeds: readonly Deed[];
  /** Makes no new payments; the terminal goes on. */
  finish(): Promise<void>;
  stopTerminal(): Promise<void>;
}

function deedOf({ sessionID = "", messageID, type: asked }: TerminalMessage, report: TerminalReport): Deed {
  const { type: told, chargeID, refundID, amount } = report;
  return { sessionID, messageID, asked, told, chargeID, refundID, amount };
}

/** Slow to pay, by the autopilot's scripts: there is time for a discount. */
const SLOW_TO_PAY = 7;
/** Two cards are charged for one payment. */
const CHARGES_TWICE = 15;

/**
 * One partner with one terminal, making payment after payment, some cancelled, captured or refunded, some with one of the vouchers
 * taken off, each asked until answered.
 */
export function startLoad(
  partner: Partner,
  webhooks: WebhookServer,
  { random, vouchers }: { readonly random: Random; readonly vouchers: readonly string[] },
): Load {
  const promised: Promised[] = [];
  const deeds: Deed[] = [];
  const [voucher, ...others] = vouchers;
  const stopping = new AbortController();
  const terminal = startAutopilot(partner.silent.client, {
    paceMs: 30,
    journal: (message, told) => deeds.push(deedOf(message, told)),
  });

  /** Asks until there is an answer that settles it: the network loses some, and the host is killed under others. */
  async function untilAnswered(method: string, path: string, body: unknown) {
    for (;;) {
      const answer = await partner.send<{ code?: string; status: string }>(method, path, body).catch(() => undefined);
      if (
        answer &&
        answer.status < 500 &&
        answer.body.code !== "terminal_busy" &&
        answer.body.code !== "terminal_offline"
      )
        return answer;
      if (stopping.signal.aborted) return answer;
      await sleep(random.realBetween(50, 400));
    }
  }

  async function onePayment(): Promise<void> {
    const wanted = random.pick("capture", "refund", "cancel", "leave", "automatic", "voucher");
    const minor = wanted === "voucher" ? SLOW_TO_PAY : random.pick(0, 0, 0, 1, 4, 5, CHARGES_TWICE);
    const request = partner.request({
      responseWebhookUrl: webhooks.url,
      totalAmountInclVat: 100 + minor / 100,
      totalVatAmount: 20,
      lateApproval: random.pick("void", "void", "keep"),
      captureMode: wanted === "automatic" ? "automatic" : "manual",
    });
    const { sessionID, pointOfServiceID } = request;
    const accepted = await untilAnswered("POST", "/pos-payment-request", request);
    if (accepted?.status !== 202) return;
    promised.push({ sessionID, wanted });
    const of = { sessionID, pointOfServiceID };
    if (wanted === "cancel") {
      await sleep(random.realBetween(0, 600));
      const answer = await untilAnswered("POST", "/pos-payment-cancel", { ...of, msgType: "paymentCancel" });
      if (answer?.status === 200) return; // it took effect at once, and is not called back
    }
    if (wanted === "voucher") {
      const spent = {
        sessionID,
        discountID: crypto.randomUUID(),
        voucherCode: random.pick(voucher, ...others),
      };
      await untilAnswered("POST", "/add-discount", spent);
    }
    const settled = await settles(sessionID);
    if (settled === "authorized" && ["capture", "refund", "voucher"].includes(wanted)) {
      await untilAnswered("POST", "/pos-payment-capture", { ...of, msgType: "paymentCapture" });
      if (wanted === "refund" && (await settles(sessionID, ["captured"])) === "captured") {
        const refund = { ...of, msgType: "paymentRefund", currency: "SEK", refundAmount: 40, refundReason: "chaos" };
        await untilAnswered("POST", "/pos-payment-refund", { ...refund, refundID: crypto.randomUUID() });
      }
    }
  }

  /** What its webhooks last told of the session, once that is one of these states. */
  async function settles(sessionID: string, states: readonly string[] = over): Promise<string> {
    for (;;) {
      const told = webhooks.received.findLast(
        ({ event }) => event.data.sessionID === sessionID && states.includes(event.data.status),
      );
      if (told || stopping.signal.aborted) return told?.event.data.status ?? "";
      await sleep(20);
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) await onePayment();
  })();
  return {
    promised,
    deeds,
    async finish() {
      stopping.abort();
      await running;
    },
    stopTerminal: () => terminal.stop(),
  };
}
