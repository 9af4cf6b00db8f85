import { headerText, type Headers } from "../call.ts";

/** The names that a policy may set. API Management keeps four headers to itself. */
const NAME = "(?!(?:connection|content-length|keep-alive|transfer-encoding)$)[a-z0-9_-]+";

const isNamed = `Regex.IsMatch(header.Key, "(?i)^${NAME}$")`;
const hasOther = String.raw`Regex.IsMatch(string.Join(",", header.Value), "[^\\t -~]")`;

/** The only query of the headers that is supported: the name of the first one with a character that is not printable ASCII. */
export const UNREADABLE_HEADER = `context.Request.Headers.Where(header => ${isNamed} && ${hasOther}).Select(header => header.Key.ToLowerInvariant()).FirstOrDefault()`;

const named = new RegExp(`^${NAME}$`, "i");

/** The value of that query. Null if there is no such header. */
export const unreadableHeader = (headers: Headers): string | null =>
  [...headers.keys()].find((name) => named.test(name) && /[^\t -~]/.test(headerText(headers, name) ?? "")) ?? null;
