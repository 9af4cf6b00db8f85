import { toTerminalMessage } from "../../shared/contracts/terminal-messages.ts";
import { waitSeconds } from "../../shared/contracts/wait.ts";
import { answer, noContent } from "../../shared/http/answer.ts";
import { terminalFunction } from "../../shared/http/http-function.ts";
import { nextMessage, type NextMessage } from "../../shared/use-cases/next-message.ts";

/** Hands a terminal its next message; it may wait up to twenty seconds for one. 204 when there is none. */
export const nextTerminalMessage = (deps: NextMessage) =>
  terminalFunction({
    name: "next-message",
    method: "GET",
    route: "next-message",
    waits: true,
    handle: async ({ caller, query }) => {
      const row = await nextMessage(deps, caller, waitSeconds(query.get("wait")));
      return row ? answer(200, toTerminalMessage(row, deps.clock.now())) : noContent;
    },
  });
