import type { MailReply, Mails } from "../../../shared/ports/mails.ts";
import type { Invocation } from "../world/invocation.ts";
import { SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** The mails that the mail server received for one token request, counted. */
export interface ReceivedMail {
  readonly addresses: Set<string>;
  readonly codes: Set<string>;
  attempts: number;
  accepted: number;
  refused: number;
}

/** The customers' mail server. It is slow, fails, accepts mails without a response, and in some worlds is silent forever. */
export interface MailServer {
  reachedBy(invocation: Invocation): Mails;
  /** By the request's identifier. */
  readonly received: ReadonlyMap<string, ReceivedMail>;
}

/** Seconds from each failed attempt to the next. */
const SCHEDULE = [5, 30, 120, 600, 3_600];
/** The number of attempts before a mail is given up. */
export const MAIL_ATTEMPTS = SCHEDULE.length + 1;

/** A mailbox's key in this world. */
export const addressKey = (email: string): string => Buffer.from(email.toLowerCase()).toString("hex");

export function createMailServer(world: World): MailServer {
  const { agenda, quirks, faultPlan } = world;
  const received = new Map<string, ReceivedMail>();
  const isSilentForEver = quirks.chance(0.05);

  const noted = (id: string): ReceivedMail => {
    const mail = received.get(id) ?? {
      addresses: new Set<string>(),
      codes: new Set<string>(),
      attempts: 0,
      accepted: 0,
      refused: 0,
    };
    received.set(id, mail);
    return mail;
  };

  /** The fate of a mail. `dies`: it is accepted, and the process dies before the response. */
  function draw(): "taken" | "dies" | "silent" | "accepted silently" | "busy" | "refused" {
    if (isSilentForEver) return "silent";
    if (!faultPlan.fault(0.3, "mail server in trouble")) return "taken";
    return quirks.pick("dies", "silent", "accepted silently", "busy", "refused");
  }

  const answers: Readonly<Record<ReturnType<typeof draw>, MailReply>> = {
    taken: { kind: "sent" },
    dies: { kind: "sent" },
    silent: { kind: "failed", reason: "ETIMEDOUT" },
    "accepted silently": { kind: "failed", reason: "ETIMEDOUT" },
    busy: { kind: "failed", reason: "450" },
    refused: { kind: "refused", reason: "550" },
  };

  return {
    received,
    reachedBy: (invocation) => ({
      send({ id, to, code }) {
        const { promise, resolve } = Promise.withResolvers<MailReply>();
        const fate = draw();
        const mail = noted(id);
        mail.attempts++;
        mail.addresses.add(to);
        mail.codes.add(code);
        if (fate === "taken" || fate === "dies" || fate === "accepted silently") mail.accepted++;
        if (fate === "refused") mail.refused++;
        world.trace?.("mail server", `${id} ${fate}`);
        if (fate === "dies") invocation.die();
        const after = fate === "silent" || fate === "accepted silently" ? 20 * SECOND : quirks.between(50, 5_000);
        agenda.after(after, () => void (invocation.isDead() || resolve(answers[fate])));
        return promise;
      },
      nextAttemptAfter: (attempt) => SCHEDULE[attempt - 1],
    }),
  };
}
