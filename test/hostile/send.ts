import { Pool } from "undici";
import { apiPaths } from "../../shared/edge/http/api-paths.ts";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import type { Seen } from "./check.ts";
import type { Shot, Way } from "./requests.ts";

/** A request without an answer for this long counts as hanging. */
const ANSWER_WITHIN_MS = 15_000;

/** Sends requests over keep-alive connections, with the same number of connections to the gateway and to the host. */
export function sender(stack: StackFile, connections: number) {
  const options = { connections, headersTimeout: ANSWER_WITHIN_MS, bodyTimeout: ANSWER_WITHIN_MS };
  const pools: Readonly<Record<Way, Pool>> = {
    gateway: new Pool(stack.baseUrl, options),
    host: new Pool(stack.functionsUrl, options),
  };
  return {
    /** Throws if the connection is cut or no response arrives in time. */
    async send({ way, target, method, path, headers, body }: Shot): Promise<Seen> {
      const answer = await pools[way].request({
        method,
        path: way === "host" ? path.replace(apiPaths[target.api], "") || "/" : path,
        headers,
        ...(body !== undefined && { body }),
      });
      const text = await answer.body.text();
      const received = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      );
      return { status: answer.statusCode, headers: new Headers(received), body: text };
    },
    close: () => Promise.all(Object.values(pools).map((pool) => pool.close())),
  };
}
export type Sender = ReturnType<typeof sender>;
