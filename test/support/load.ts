import { setTimeout as sleep } from "node:timers/promises";
import { LONG, waitFor } from "./wait-for.ts";

/** What a caller was answered: the status, and the code of a problem. */
interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestID?: string | undefined;
}

/** Calls, and reads the code of a problem. */
export async function ask(url: string, init: { method?: string; headers: Record<string, string>; body?: string }) {
  const response = await fetch(url, init);
  const body = await response.text();
  const problem = response.status >= 400 && body !== "" ? (JSON.parse(body) as Partial<Answered>) : {};
  return { status: response.status, code: problem.code, requestID: problem.requestID, body };
}

/**
 * The platform itself puts a call off when tables, queues or the machine are slow. The gateway's response is the same where the host refuses
 * its key: the log of the app has the identifiers of those that it put off itself.
 */
const isPutOff = ({ status, code }: Answered): boolean => status === 503 && code === "dependency_unavailable";

/** Repeats calls until it is stopped, and keeps every one that was refused, and the identifier of every one that was put off. */
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

/** What was not put off: it is repeated as it is, as a caller does. A host may restart meanwhile. */
export const settled = <Answer extends { readonly status: number }>(call: () => Promise<Answer>): Promise<Answer> =>
  waitFor("an answer other than 503", call, { ...LONG, until: ({ status }) => status !== 503 });
