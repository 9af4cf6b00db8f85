import type { CallView } from "../../../views/calls.ts";

/** The filter of the requests' list. */
export interface CallFilter {
  /** Text to find in the operation, path, problem, session or identifier. */
  readonly text: string;
  /** An API. Empty means all APIs. */
  readonly api: string;
  /** Only requests that were rejected or failed. */
  readonly refused: boolean;
}

/** The filter in an address. */
export function filterOf(query: string): CallFilter {
  const given = new URLSearchParams(query);
  return { text: given.get("text") ?? "", api: given.get("api") ?? "", refused: given.get("refused") === "yes" };
}

/** The same as the query of an address. Empty for all requests. */
export function queryOf({ text, api, refused }: CallFilter): string {
  const query = new URLSearchParams();
  if (text !== "") query.set("text", text);
  if (api !== "") query.set("api", api);
  if (refused) query.set("refused", "yes");
  return query.toString();
}

/** The requests that match, by when they began, the newest first. The page's server lists them by when they ended. */
export function callsLike(calls: readonly CallView[], { text, api, refused }: CallFilter): readonly CallView[] {
  const wanted = text.trim().toLowerCase();
  return calls
    .filter(
      (call) =>
        (api === "" || call.api === api) &&
        (!refused || call.status >= 400) &&
        (wanted === "" || namesOf(call).some((name) => name?.toLowerCase().includes(wanted))),
    )
    .toSorted((one, other) => other.at - one.at);
}

const namesOf = ({ operation, method, path, problem, sessionId, requestId, status }: CallView) => [
  operation,
  `${method} ${path}`,
  problem,
  sessionId,
  requestId,
  String(status),
];
