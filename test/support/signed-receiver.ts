import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** The partner's server. It stores each event with its signatures. */
export async function startReceiver() {
  const received: { readonly body: string; readonly headers: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      received.push({ body, headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    received,
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Whether the event is signed with one of these secrets. */
export const verifies = (
  { body, headers }: { readonly body: string; readonly headers: Record<string, string> },
  ...secrets: readonly string[]
): boolean =>
  secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  });
