/** A request to show as a command. Header names are as sent. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** Headers that curl adds itself. */
const curlsOwn = /^(?:host|connection|content-length|accept-encoding|user-agent|transfer-encoding|keep-alive|expect)$/i;

/**
 * The request as a command for a POSIX shell. Every part that came from outside is quoted, so that the shell does not interpret it. Curl
 * does not read it as a file name or an address pattern either. Zero bytes are removed, because a command cannot contain them.
 */
export function curlOf({ method, url, headers, body }: ShownRequest): string {
  const hasBody = body !== undefined && body !== "";
  const isStandard = method === (hasBody ? "POST" : "GET");
  const parts = [
    `curl -sS --globoff --path-as-is ${isStandard ? "" : `-X ${quoted(method)} `}${quoted(url)}`,
    ...headers
      .filter(([name]) => !curlsOwn.test(name))
      .map(([name, value]) => `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`),
    ...(hasBody ? [`--data-raw ${quoted(body)}`] : []),
  ];
  return parts.join(" \\\n  ");
}

const quoted = (text: string): string => `'${text.replaceAll("\0", "").replaceAll("'", String.raw`'\''`)}'`;
