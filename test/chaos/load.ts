import { setTimeout as sleep } from "node:timers/promises";
import { scriptFor } from "../../infra/local/terminal/scripts.ts";
import type { partnerOn } from "../support/partner.ts";
import type { Random } from "../support/seeded-random.ts";
import type { startWebhookServer } from "../support/webhook-server.ts";
import { CURRENCY } from "./cards.ts";

type Partner = ReturnType<typeof partnerOn>;
type WebhookServer = Pick<Awaited<ReturnType<typeof startWebhookServer>>, "url" | "received">;

const over = ["authorized", "captured", "voided", "cancelled", "declined", "expired", "failed"];

/** What a partner was told: the sessions acknowledged with 2xx. */
export interface Promised {
  readonly sessionID: string;
  readonly partnerID: string;
}

export interface Load {
  readonly promised: readonly Promised[];
  /** The answers that say the platform has made a mistake: whatever its dependencies do, that is none of its own. */
  readonly mistakes: readonly string[];
  /** Makes no new payments; the terminal goes on. */
  finish(): Promise<void>;
}

/** Slow to pay, by the autopilot's scripts: there is time for a discount. */
const SLOW_TO_PAY = 7;
/** What a perfect terminal may do, by the same scripts: approve, decline, be cancelled, fail, or fail to capture or to refund. */
const perfectly: readonly [number, ...number[]] = [0, 0, 0, 0, 1, 4, 5, 9, 11, 12];
/** And what it must not: charge another amount, twice or after the end, fail to void, capture less, or be silent until it is asked. */
const imperfectly: readonly [number, ...number[]] = [0, 0, 0, 8, 10, 13, 15, 16, 17, 18, 18, 19, 19];
/** How long a partner waits for what may never come. */
const PATIENCE_MS = 15_000;

interface Circumstances {
  readonly random: Random;
  readonly vouchers: readonly string[];
  /** Whether its terminal is never asked for what a terminal must not do. */
  readonly isPerfect: boolean;
  readonly count: (what: string) => void;
}

/**
 * One partner with one terminal, making payment after payment, some cancelled, captured or refunded, some with one of the vouchers
 * taken off, each asked until answered.
 */
export function startLoad(
  partner: Partner,
  webhooks: WebhookServer,
  { random, vouchers, isPerfect, count }: Circumstances,
): Load {
  const promised: Promised[] = [];
  const mistakes: string[] = [];
  const { partnerID } = partner.partner;
  const [voucher, ...others] = vouchers;
  const stopping = new AbortController();
  /** Asks until there is an answer that settles it: the network loses some, and the host is killed under others. */
  async function untilAnswered(method: string, path: string, body: unknown) {
    for (;;) {
      const answer = await partner.send<{ code?: string; status: string }>(method, path, body).catch(() => undefined);
      if (answer) count(`answers ${answer.status}`);
      if (answer?.status === 500) mistakes.push(`answered 500: ${method} ${path}: ${JSON.stringify(answer.body)}`);
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
    const minor = wanted === "voucher" ? SLOW_TO_PAY : random.pick(...(isPerfect ? perfectly : imperfectly));
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
    promised.push({ sessionID, partnerID });
    if (!isPerfect) count(`terminal was asked for: ${scriptFor(request.totalAmountInclVat, CURRENCY).name}`);
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
        const refund = { ...of, msgType: "paymentRefund", currency: CURRENCY, refundAmount: 40, refundReason: "chaos" };
        await untilAnswered("POST", "/pos-payment-refund", { ...refund, refundID: crypto.randomUUID() });
      }
    }
  }

  /** What its webhooks last told of the session, once that is one of these states. */
  async function settles(sessionID: string, states: readonly string[] = over): Promise<string> {
    for (const until = performance.now() + PATIENCE_MS; ;) {
      const told = webhooks.received.findLast(
        ({ event }) => event.data.sessionID === sessionID && states.includes(event.data.status),
      );
      if (told || stopping.signal.aborted || performance.now() > until) return told?.event.data.status ?? "";
      await sleep(20);
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) await onePayment();
  })();
  return {
    promised,
    mistakes,
    async finish() {
      stopping.abort();
      await running;
    },
  };
}
