import { setTimeout as sleep } from "node:timers/promises";
import { scriptFor } from "../../packages/terminal/simulated/scripts.ts";
import type { partnerOn } from "../support/partner.ts";
import type { Random } from "../support/seeded-random.ts";
import type { ReceivedWebhook, startWebhookServer } from "../support/webhook-server.ts";
import { CURRENCY } from "./cards.ts";

type Partner = ReturnType<typeof partnerOn>;
type WebhookServer = Pick<Awaited<ReturnType<typeof startWebhookServer>>, "url" | "received">;

/** The states of a payment whose outcome its partner knows. */
const over: readonly string[] = ["authorized", "captured", "voided", "cancelled", "declined", "expired", "failed"];

/** A session that the platform acknowledged to its partner with 2xx. */
export interface Promised {
  readonly sessionID: string;
  readonly partnerID: string;
}

export interface Load {
  readonly promised: readonly Promised[];
  /** Responses with status 500, which are the platform's own defects. A failed dependency must never cause one. */
  readonly mistakes: readonly string[];
  /** Starts no new payment. The terminal runs on. */
  finish(): Promise<void>;
}

/** A script of the autopilot that is slow to pay, so that there is time for a discount. */
const SLOW_TO_PAY = 7;
/** The scripts of a perfect terminal: approve, decline, be cancelled, fail, or fail to capture or to refund. */
const perfectly: readonly [number, ...number[]] = [0, 0, 0, 0, 1, 4, 5, 9, 11, 12];
/**
 * The scripts of an imperfect terminal: charge another amount, twice or after the end, fail to void, capture less, or be silent until a
 * status query arrives.
 */
const imperfectly: readonly [number, ...number[]] = [0, 0, 0, 8, 10, 13, 15, 16, 17, 18, 18, 19, 19];
/** How long a partner waits for an outcome, which may never arrive. */
const PATIENCE_MS = 15_000;

/** The share of refunds that their partner takes back at once. */
const WITHDRAWN = 0.3;

interface Circumstances {
  readonly random: Random;
  readonly vouchers: readonly string[];
  /** Whether its terminal gets the scripts of an imperfect terminal. */
  readonly errs: boolean;
  readonly count: (what: string) => void;
}

/**
 * One partner with one terminal. It makes payment after payment. Some are cancelled, captured or refunded, and some use a voucher. A
 * refund that failed or was withdrawn is requested once more. Each request is repeated until it gets a response.
 */
export function startLoad(
  partner: Partner,
  webhooks: WebhookServer,
  { random, vouchers, errs, count }: Circumstances,
): Load {
  const promised: Promised[] = [];
  const mistakes: string[] = [];
  const { partnerID } = partner.partner;
  const [voucher, ...others] = vouchers;
  const stopping = new AbortController();
  /** Repeats a request until a final response arrives. Some responses are lost by the network, others by a kill of the host. */
  async function untilAnswered(method: string, path: string, body: unknown) {
    count("requests");
    let isTurnedAway = false;
    for (;;) {
      const answer = await partner.send<{ code?: string; status: string }>(method, path, body).catch(() => undefined);
      count(answer ? `responses ${answer.status}` : "no response");
      if (!isTurnedAway && (!answer || answer.status >= 500)) {
        isTurnedAway = true;
        count("requests that met 5xx or no response");
      }
      if (answer?.status === 500) mistakes.push(`responded 500: ${method} ${path}: ${JSON.stringify(answer.body)}`);
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
    const minor = wanted === "voucher" ? SLOW_TO_PAY : random.pick(...(errs ? imperfectly : perfectly));
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
    if (errs) count(`terminal plays: ${scriptFor(request.totalAmountInclVat, CURRENCY).name}`);
    const of = { sessionID, pointOfServiceID };
    if (wanted === "cancel") {
      await sleep(random.realBetween(0, 600));
      const answer = await untilAnswered("POST", "/pos-payment-cancel", { ...of, msgType: "paymentCancel" });
      if (answer?.status === 200) return; // it took effect at once, so no webhook will report it
    }
    if (wanted === "voucher") {
      const spent = {
        sessionID,
        discountID: crypto.randomUUID(),
        voucherCode: random.pick(voucher, ...others),
      };
      await untilAnswered("POST", "/add-discount", spent);
    }
    const ended = await settles(sessionID);
    if (ended === "authorized" && ["capture", "refund", "voucher"].includes(wanted)) {
      await untilAnswered("POST", "/pos-payment-capture", { ...of, msgType: "paymentCapture" });
      if (wanted === "refund" && (await settles(sessionID, ["captured"])) === "captured") {
        const refund = { ...of, msgType: "paymentRefund", currency: CURRENCY, refundAmount: 60, refundReason: "chaos" };
        const refundID = crypto.randomUUID();
        const ask = (named: string) => untilAnswered("POST", "/pos-payment-refund", { ...refund, refundID: named });
        await ask(refundID);
        if (random.chance(WITHDRAWN)) {
          const answer = await untilAnswered("POST", "/pos-payment-cancel", {
            ...of,
            msgType: "paymentCancel",
            refundID,
          });
          count(answer?.status === 200 ? "refunds withdrawn" : "refunds fetched before their withdrawal");
        }
        const concluded = await hears(sessionID, ({ type }) => type.startsWith("refund."));
        if (concluded?.type === "refund.failed") await ask(crypto.randomUUID()); // only one of the two fits
      }
    }
  }

  /** The latest webhook about the session that fits, once there is one; undefined if none arrives in time. */
  async function hears(sessionID: string, fits: (event: ReceivedWebhook["event"]) => boolean) {
    for (const until = performance.now() + PATIENCE_MS; ;) {
      const webhook = webhooks.received.findLast(
        ({ event }) => "sessionID" in event.data && event.data.sessionID === sessionID && fits(event),
      );
      if (webhook || stopping.signal.aborted || performance.now() > until) return webhook?.event;
      await sleep(20);
    }
  }

  /** The latest status of the session that a webhook reported, once it is one of these states. */
  const settles = async (sessionID: string, states: readonly string[] = over): Promise<string> =>
    (await hears(sessionID, ({ data }) => states.includes(data.status)))?.data.status ?? "";

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
