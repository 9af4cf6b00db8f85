import type { IncomingMessage, RequestListener } from "node:http";

const loopbackName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** The name by which a container reaches its host machine. */
const OF_CONTAINERS = "host.docker.internal";

/** The address and name at which a server is reached, in addition to loopback. */
export interface Opening {
  /** Another address of this machine on which the server listens. Containers then reach it, too. */
  readonly host?: string | undefined;
  /** Another name under which the server responds, such as that of a proxy before it. */
  readonly name?: string | undefined;
}

/** The names of an opened server in URLs, in addition to loopback's. */
export const namesOf = ({ host, name }: Opening): readonly string[] =>
  [
    ...(host === undefined ? [] : [host.includes(":") ? `[${host}]` : host, OF_CONTAINERS]),
    ...(name === undefined ? [] : [name]),
  ].map((other) => other.toLowerCase());

/**
 * Responds 421 to a request that is not addressed to this machine (`localhost`, `127.0.0.1`, `[::1]`, on any port). Otherwise a foreign
 * page whose name resolves to this machine could read keys and mails. Use it for each HTTP server of the local cloud, and only for those.
 *
 * @param open requests to its names are then answered too
 */
export function loopbackOnly(answer: RequestListener, open: Opening = {}): RequestListener {
  const others = namesOf(open);
  const isOther = (name: string) => others.includes(name.toLowerCase().replace(/:\d{1,5}$/, ""));
  const words = `The local cloud answers to ${["localhost", "127.0.0.1", "[::1]", ...others].join(", ")} only.\n`;
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
