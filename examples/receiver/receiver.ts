import { createServer, type IncomingMessage } from "node:http";
import { challengeNonce, verifyWebhook, WebhookRejected, type WebhookEvent } from "terminal-payments-partners-client";

const { WEBHOOK_SECRETS = "", WEBHOOK_PORT = "4242" } = process.env;
const secrets = WEBHOOK_SECRETS.split(" ");

// In your shop a database: event and effect are stored in one transaction, before the response.
const seen = new Set<string>();
const newest = new Map<string, number>();

/** Acts on an event once, and on the newest state alone: events may come again, and out of order. */
function take({ id, type, sequence, data }: WebhookEvent): void {
  if (seen.has(id)) return console.log(`${type} ${id} again`);
  seen.add(id); // the header webhook-id
  if (type === "webhook.test") return console.log(`${type} ${id}`); // it has no data
  const subject = subjectOf(data);
  if (sequence < (newest.get(subject) ?? 0)) return console.log(`${type} ${id} late`);
  newest.set(subject, sequence);
  // In your shop: store `data`, the whole payment, and act on what differs from what was stored, not on the type.
  console.log(`${type} ${id}: ${data.status}`);
}

/** What the event is about: sequences are compared within it. */
function subjectOf(data: WebhookEvent["data"]): string {
  if ("actionRequestID" in data) return data.actionRequestID;
  if ("date" in data) return `settlement ${data.date}`;
  return "businessDay" in data ? `${data.pointOfServiceID} ${data.businessDay}` : data.sessionID;
}

/** No event of the platform is longer than this. Anybody else may send more. */
const MOST_BYTES = 1024 * 1024;

/** The body as it arrived. Undefined if it is too long: memory never holds more. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"]) > MOST_BYTES) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += (part as Buffer).length;
    if (bytes > MOST_BYTES) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/**
 * The status to respond with: 2xx within 15 s, or the event comes again. 4xx for what is not the platform's, 5xx where this server errs. A
 * challenge, which proves that the host is yours, wants its nonce as the body.
 */
async function receive(request: IncomingMessage): Promise<readonly [status: number, body?: string]> {
  try {
    const body = await bodyOf(request);
    if (!body) return [413];
    const event = verifyWebhook(body, request.headers, secrets);
    const nonce = challengeNonce(event);
    if (nonce !== undefined) return [200, nonce];
    take(event);
    return [204];
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return [error instanceof WebhookRejected ? 400 : 500];
  }
}

const server = createServer((request, response) => {
  void receive(request).then(([status, body]) => response.writeHead(status).end(body));
});
server.listen(Number(WEBHOOK_PORT), "127.0.0.1", () => console.log(`Receives webhooks on port ${WEBHOOK_PORT}.`));
