import * as z from "zod";
import { terminal } from "../../shared/edge/auth/authenticate.ts";
import { canonical, identifier } from "../../shared/contracts/identifier.ts";
import { terminalMessageObject, toTerminalMessage } from "../../shared/contracts/objects/terminal-message.ts";
import { refusal, respond, noContent } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import type { Log, ScopeNames } from "../../shared/ports/log.ts";
import type { InboxRow } from "../../shared/stores/inboxes.ts";
import { leaseNextMessage, type LeaseNextMessageDeps } from "../../shared/use-cases/terminals/lease-next-message.ts";

/** The longest wait of a poll for a message, in seconds. */
export const LONGEST_WAIT_SECONDS = 55;

const wait = z.coerce
  .number()
  .min(0)
  .max(LONGEST_WAIT_SECONDS)
  .optional()
  .meta({ description: "Seconds to wait for a message. 0 by default." });

const received = identifier.optional().meta({
  description:
    "The last message that arrived. A later message, whose response was lost, is then delivered again at once.",
});

/** A value that is not a charge is ignored, because a refused poll would cost more than an unknown battery. */
const battery = z.coerce
  .number()
  .int()
  .min(0)
  .max(100)
  .optional()
  .catch(undefined)
  .meta({ description: "The charge of the terminal's battery, in percent. It is kept with the heartbeat." });

export const nextTerminalMessage = defineEndpoint({
  auth: terminal,
  name: "next-message",
  method: "GET",
  route: "next-message",
  summary: "Next Message",
  description: "Returns a terminal's next message, and can wait for one. The call is also the terminal's heartbeat.",
  parameters: { query: z.object({ wait, received, battery }) },
  successes: {
    200: success("The next message.", terminalMessageObject),
    204: { means: "There is none, or the terminal has begun a newer fetch meanwhile." },
  },
  waitsSeconds: LONGEST_WAIT_SECONDS,
  handle: async (deps: LeaseNextMessageDeps & { readonly log: Log }, call) => {
    const { wait = 0, received, battery } = call.parameters;
    const told = { received: received && canonical(received), batteryPercent: battery };
    const leased = await leaseNextMessage(deps, call, wait, told);
    if (!leased.ok) return refusal(leased.error);
    const row = leased.value;
    if (!row) return noContent;
    deps.log.note(namesOf(row));
    return respond(200, toTerminalMessage(row, call.now()));
  },
});

/** An answer's slot is named after its action request. Any other message's slot is named after its session. */
const namesOf = ({ message, slot: { sessionId: id } }: InboxRow): ScopeNames =>
  message.type === "actionAnswer" ? { actionRequest: id } : { session: id };
