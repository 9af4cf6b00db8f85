import type { IncomingMessage, RequestListener } from "node:http";

const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Responds 421 to a request that is addressed to any other name than this machine's own (`localhost`, `127.0.0.1`, `[::1]`, on any port).
 * Otherwise a foreign page whose name resolves to this machine could read keys and mails. Only for the HTTP servers of the local cloud.
 */
export function loopbackOnly(answer: RequestListener): RequestListener {
  return (request, response) => {
    if (addressees(request).every((name) => loopbackName.test(name))) return answer(request, response);
    const words = "The local cloud answers to localhost, 127.0.0.1 and [::1] only.\n";
    response.writeHead(421, { "content-type": "text/plain", connection: "close" }).end(words);
  };
}

/** The Host header, or the host of the target where the target is a whole URL. */
function addressees({ headers, url = "" }: IncomingMessage): string[] {
  const inTarget = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return [headers.host ?? "", ...(inTarget === undefined ? [] : [inTarget])];
}
