import type { CallView } from "../../../views/calls.ts";

/** What the list of requests is narrowed to. */
export interface CallFilter {
  /** Is somewhere in the operation, path, problem, session or identifier. */
  readonly text: string;
  /** An API; all of them where it is empty. */
  readonly api: string;
  /** Only those that were refused or failed. */
  readonly refused: boolean;
}

/** The filter that an address holds. */
export function filterOf(query: string): CallFilter {
  const given = new URLSearchParams(query);
  return { text: given.get("text") ?? "", api: given.get("api") ?? "", refused: given.get("refused") === "yes" };
}

/** The same as the query of an address; empty for all requests. */
export function queryOf({ text, api, refused }: CallFilter): string {
  const query = new URLSearchParams();
  if (text !== "") query.set("text", text);
  if (api !== "") query.set("api", api);
  if (refused) query.set("refused", "yes");
  return query.toString();
}

export function callsLike(calls: readonly CallView[], { text, api, refused }: CallFilter): readonly CallView[] {
  const wanted = text.trim().toLowerCase();
  return calls.filter(
    (call) =>
      (api === "" || call.api === api) &&
      (!refused || call.status >= 400) &&
      (wanted === "" || namesOf(call).some((name) => name?.toLowerCase().includes(wanted))),
  );
}

const namesOf = ({ operation, method, path, problem, sessionId, requestId, status }: CallView) => [
  operation,
  `${method} ${path}`,
  problem,
  sessionId,
  requestId,
  String(status),
];
