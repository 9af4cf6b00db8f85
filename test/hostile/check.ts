import { judge } from "../support/api-documents.ts";
import type { Shot } from "./requests.ts";

/** An answer as it came. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** What is wrong with an answer; nothing where it is as the documents and the promises of this run say. */
export function complaintsAbout(shot: Shot, seen: Seen): readonly string[] {
  const { status } = seen;
  const complaints: string[] = [];
  if (status >= 500) complaints.push(`is answered ${status}, and every dependency is there`);
  if (shot.isWrong && status < 400) complaints.push(`is let in (${status}), and must be refused`);
  if (status >= 400 && repeats(shot.marker, seen)) complaints.push("repeats what the caller sent");
  return [...complaints, ...undocumented(shot, seen)];
}

/** A message that quotes a body cuts it short. No identifier holds a marker's first letters. */
const ENOUGH = 8;

/**
 * Whether a refusal holds text of the caller's. `instance` is left out: it names the path that was asked for, as RFC 9457 has it, in a
 * JSON document that no browser renders.
 */
function repeats(marker: string, { headers, body }: Seen): boolean {
  const told = body.replace(/"instance":"(?:[^"\\]|\\.)*"/, "");
  return [told, ...headers.values()].some((text) => text.includes(marker.slice(0, ENOUGH)));
}

function undocumented(shot: Shot, seen: Seen): readonly string[] {
  const { way, target, kind } = shot;
  // The Functions host's own refusals of a key, a path or a large body have no body; the gateway gives them the platform's shape.
  if (way === "host" && seen.body === "" && [400, 401, 404, 413].includes(seen.status)) return [];
  const [path = ""] = shot.path.split("?");
  const isElsewhere = kind.startsWith("address path");
  if (isElsewhere && seen.status === 404 && /"code":"\w*not_found"/.test(seen.body)) return [];
  const url = `http://gateway${isElsewhere ? path : target.path}`;
  return judge({ ...seen, method: shot.method, url }).complaints;
}
