import type { IncomingMessage, RequestListener } from "node:http";

const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** The name by which a container reaches the machine that it runs on. */
const OF_CONTAINERS = "host.docker.internal";

/**
 * Responds 421 to a request that is addressed to any other name than this machine's own (`localhost`, `127.0.0.1`, `[::1]`, on any port).
 * Otherwise a foreign page whose name resolves to this machine could read keys and mails. Only for the HTTP servers of the local cloud.
 *
 * @param host another address or name under which the server listens: then it, and the name that containers use, are answered, too
 */
export function loopbackOnly(answer: RequestListener, host?: string): RequestListener {
  const others = host === undefined ? [] : [host.toLowerCase(), `[${host.toLowerCase()}]`, OF_CONTAINERS];
  const isOther = (name: string) => others.includes(name.toLowerCase().replace(/:\d{1,5}$/, ""));
  const words = `The local cloud answers to ${["localhost", "127.0.0.1", "[::1]", ...(host === undefined ? [] : [host, OF_CONTAINERS])].join(", ")} only.\n`;
  return (request, response) => {
    if (addressees(request).every((name) => loopbackName.test(name) || isOther(name))) return answer(request, response);
    response.writeHead(421, { "content-type": "text/plain", connection: "close" }).end(words);
  };
}

/** The Host header, or the host of the target where the target is a whole URL. */
function addressees({ headers, url = "" }: IncomingMessage): string[] {
  const inTarget = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return [headers.host ?? "", ...(inTarget === undefined ? [] : [inTarget])];
}
