import { setTimeout as sleep } from "node:timers/promises";
import { LONG, waitFor } from "./wait-for.ts";

/** The response to a call: the status, and the code of a problem. */
interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestID?: string | undefined;
}

/** Sends a call, and reads the code of a problem. */
export async function ask(url: string, init: { method?: string; headers: Record<string, string>; body?: string }) {
  const response = await fetch(url, init);
  const body = await response.text();
  const problem = response.status >= 400 && body !== "" ? (JSON.parse(body) as Partial<Answered>) : {};
  return { status: response.status, code: problem.code, requestID: problem.requestID, body };
}

/**
 * Whether the platform itself deferred a call because tables, queues or the machine are slow. The gateway's response is the same if the
 * host refuses its key. The log of the app has the identifiers of the calls that the app deferred itself.
 */
const isPutOff = ({ status, code }: Answered): boolean => status === 503 && code === "dependency_unavailable";

/** Repeats calls until it is stopped. It records every refused call, and the identifier of every deferred call. */
export function load() {
  const refused: string[] = [];
  const putOff: string[] = [];
  const made: Record<string, number> = {};
  const loops: Promise<void>[] = [];
  const over = new AbortController();
  return {
    refused,
    putOff,
    made,
    repeat(name: string, call: () => Promise<Answered>) {
      const loop = async () => {
        while (!over.signal.aborted) {
          const answered = await call().catch((error: unknown): Answered => ({ status: 0, code: String(error) }));
          if (answered.status >= 200 && answered.status < 400) made[name] = (made[name] ?? 0) + 1;
          else if (isPutOff(answered)) putOff.push(`${answered.requestID}`);
          else refused.push(`${name}: ${answered.status} ${answered.code ?? ""}`);
          await sleep(50);
        }
      };
      loops.push(loop());
    },
    async stop() {
      over.abort();
      await Promise.all(loops);
    },
  };
}

/** Repeats a deferred call unchanged, as a caller does, until it gets another response. A host may restart meanwhile. */
export const settled = <Answer extends { readonly status: number }>(call: () => Promise<Answer>): Promise<Answer> =>
  waitFor("an answer other than 503", call, { ...LONG, until: ({ status }) => status !== 503 });
