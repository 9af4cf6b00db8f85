import { BODY_LIMIT } from "../../shared/edge/settings/config.ts";
import { apiPaths } from "../../shared/edge/http/api-paths.ts";
import { judge } from "../support/api-documents.ts";
import type { Shot } from "./requests.ts";

/** A received response. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The violations of a response; empty if it conforms to the documents and to this run's promises. */
export function complaintsAbout(shot: Shot, seen: Seen): readonly string[] {
  const { status } = seen;
  if (isHomepage(shot, seen) || isTooLarge(shot, seen)) return [];
  const complaints: string[] = [];
  if (status >= 500) complaints.push(`gets ${status}, although every dependency is available`);
  if (shot.isWrong && status < 400) complaints.push(`is accepted (${status}), but must be refused`);
  if (status >= 400 && repeats(shot.marker, seen)) complaints.push("repeats the caller's text");
  return [...complaints, ...undocumented(shot, seen)];
}

/**
 * The length of a marker's start that counts as a repetition, because a message that quotes a body shortens it. No identifier contains a
 * marker's first letters.
 */
const ENOUGH = 8;

/**
 * Whether a refusal contains text of the caller. `instance` is not checked. It names the requested path, as RFC 9457 specifies, in a JSON
 * document that no browser renders.
 */
function repeats(marker: string, { headers, body }: Seen): boolean {
  const text = body.replace(/"instance":"(?:[^"\\]|\\.)*"/, "");
  return [text, ...headers.values()].some((part) => part.includes(marker.slice(0, ENOUGH)));
}

/**
 * Whether the Functions host itself answered: a path whose dot segments lead to the root gets its homepage, which the app's settings leave
 * empty, whatever the method. No function sees the request.
 */
function isHomepage({ way, target, path }: Shot, { status, body }: Seen): boolean {
  if (way !== "host" || status !== 204 || body !== "") return false;
  return new URL(path.replace(apiPaths[target.api], "") || "/", "http://host").pathname === "/";
}

/** Whether the Functions host itself refused a body beyond its limit, which is an empty 500. The gateway's 413 comes before it. */
const isTooLarge = ({ way, body: sent = "" }: Shot, { status, body }: Seen): boolean =>
  way === "host" && status === 500 && body === "" && Buffer.byteLength(sent) > BODY_LIMIT.bytes;

function undocumented(shot: Shot, seen: Seen): readonly string[] {
  const { way, target, kind } = shot;
  // The Functions host's own refusals of a key or a path have no body. The gateway converts them into the platform's shape.
  if (way === "host" && seen.body === "" && [400, 401, 404].includes(seen.status)) return [];
  const [path = ""] = shot.path.split("?");
  const isElsewhere = kind.startsWith("address path");
  if (isElsewhere && seen.status === 404 && /"code":"\w*not_found"/.test(seen.body)) return [];
  if (isElsewhere && seen.status === 405 && seen.body.includes('"code":"method_not_allowed"')) return [];
  const isOfOperation = !isElsewhere || seen.status === 422; // an invalid day in the path is an invalid field
  const asked = new URL(isOfOperation ? target.path : path, "http://gateway");
  if (way === "host") asked.pathname = asked.pathname.replace(/\/+$/, ""); // the host ignores a slash at the end
  return judge({ ...seen, method: shot.method, url: asked.href }).complaints;
}
