import type { IncomingMessage, RequestListener } from "node:http";

const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** The name by which a container reaches its host machine. */
const OF_CONTAINERS = "host.docker.internal";

/**
 * Responds 421 to a request that is not addressed to this machine (`localhost`, `127.0.0.1`, `[::1]`, on any port). Otherwise a foreign
 * page whose name resolves to this machine could read keys and mails. Use it for each HTTP server of the local cloud, and only for those.
 *
 * @param host another address or name of the server; requests to it, and to the name that containers use, are then answered too
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

/** The Host header, and the host of the target if the target is a whole URL. */
function addressees({ headers, url = "" }: IncomingMessage): string[] {
  const inTarget = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return [headers.host ?? "", ...(inTarget === undefined ? [] : [inTarget])];
}
