/** A request, as a command shows it. Header names are as they were sent. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** Headers that curl makes by itself. */
const curlsOwn = /^(?:host|connection|content-length|accept-encoding|user-agent|transfer-encoding|keep-alive|expect)$/i;

/**
 * The request as a command for a POSIX shell. Every part that came from outside is quoted, so that no text of it is read by the shell, or by
 * curl as a file's name or a pattern of addresses. A zero byte, which no command can hold, is left out.
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
