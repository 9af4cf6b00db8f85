import { settableStatuses, type Terminal } from "../../../../shared/domain/terminal.ts";
import type { TerminalView } from "../../../../shared/stores/terminals.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { eachOf } from "../../../../shared/use-cases/each-of.ts";
import {
  endRetirement,
  rekeyTerminal,
  retireTerminal,
  terminalsOf,
  type InService,
} from "../../../../shared/use-cases/operator/onboarding/terminals.ts";
import { setTerminalStatus } from "../../../../shared/use-cases/terminals/set-terminal-status.ts";
import { standardTimings } from "../../../../shared/domain/timings.ts";
import { command, type Group } from "../command.ts";
import { withdrawRefunds } from "../../../../shared/use-cases/operator/onboarding/withdraw-refunds.ts";
import { clock, connectTables, keyMaker, operatorCall, withPlatform } from "../../common/platform.ts";
import { duration, flag, oneOf, required, standard } from "../words.ts";
import { findPartner } from "./partner.ts";
import { showDay } from "./terminal-day.ts";
import { ONCE, register } from "./terminal-register.ts";
import {
  callFor,
  findTerminal,
  observed,
  PARTNER,
  partner,
  pointOfServiceID,
  shown,
  TERMINAL,
} from "./terminal-words.ts";

const list = command({
  name: "list",
  does: "lists a partner's terminals that are in service",
  words: [partner],
  columns: ["pointOfServiceID", "name", "status", "lastSeenAt", "merchantName", "merchantID"],
  examples: [`terminal list ${PARTNER}`],
  async run({ partner: partnerId }, { connect }) {
    const ports = connectTables(await connect());
    await findPartner(ports.partners, partnerId);
    return eachOf(await terminalsOf(ports, partnerId), (view) => observed(ports, view));
  },
});

const show = command({
  name: "show",
  does: "shows a terminal: its status, when it last called the platform, which payment holds it, and which messages it has not answered",
  words: [pointOfServiceID],
  examples: [`terminal show ${TERMINAL}`],
  async run({ pointOfServiceID }, { connect }) {
    const ports = connectTables(await connect());
    const view = await ports.terminals.find(pointOfServiceID);
    if (!view) return showRetired(ports, pointOfServiceID);
    const { terminal } = view;
    const { partnerId, terminalId } = terminal;
    const { holder } = view.claim;
    const [rows, held, status] = await Promise.all([
      ports.inboxes.unanswered(pointOfServiceID),
      holder && ports.payments.find({ partnerId, terminalId, sessionId: holder.sessionId }),
      observed(ports, view),
    ]);
    return {
      ...status,
      setStatus: terminal.status,
      formerKeyEndsAt: terminal.formerKey?.endsAt,
      updatedAt: terminal.updatedAt,
      payment: held && {
        partnerID: partnerId,
        sessionID: held.payment.asReceived.sessionId,
        status: held.payment.status,
      },
      messages: rows.map(({ message, sessionIdAsReceived, slot, state, isHeld, leasedUntil }) => ({
        type: message.type,
        sessionID: sessionIdAsReceived,
        createdAt: slot.createdAt,
        state: isHeld ? "held" : state,
        leasedUntil,
      })),
    };
  },
});

const set = command({
  name: "set",
  does: "sets a terminal's status; unless it is available, the terminal takes no new payment, and finishes the current one",
  words: [pointOfServiceID, required("--status <status>", "the status to set", oneOf(settableStatuses))],
  examples: [`terminal set ${TERMINAL} --status closed`],
  writes: true,
  async run({ pointOfServiceID, status }, { connect }) {
    const ports = connectTables(await connect());
    const { terminal } = await findTerminal(ports, pointOfServiceID);
    await setTerminalStatus({ ...ports, timings: standardTimings }, callFor(terminal), status, pointOfServiceID);
    return observed(ports, await findTerminal(ports, pointOfServiceID));
  },
});

const rekey = command({
  name: "rekey",
  does: "gives a terminal a new key, shows it once, and lets the old key expire later",
  details: "A terminal has at most two valid keys. A key that an earlier rekey kept expires now.",
  words: [pointOfServiceID, standard("--keep <duration>", "how long the old key stays valid", duration, "7d")],
  examples: [`terminal rekey ${TERMINAL}`, `terminal rekey ${TERMINAL} --keep 0d`],
  writes: true,
  async run({ pointOfServiceID, keep }, { connect, note }) {
    const cloud = await connect();
    const deps = { ...connectTables(cloud), newKeys: keyMaker(cloud) };
    const view = await findTerminal(deps, pointOfServiceID);
    const { former, ...made } = await rekeyed(deps, view, keep);
    note(ONCE);
    note(
      "Hosts of the app cache terminals' keys for ten seconds. After that time, the new key is accepted everywhere.",
    );
    return { ...made, oldKeyEndsAt: former };
  },
});

async function rekeyed(deps: Parameters<typeof rekeyTerminal>[0], view: TerminalView, keepSeconds: number) {
  const { terminal, terminalKey } = await rekeyTerminal(deps, view, { now: clock.now(), keepSeconds });
  return { terminalKey, ...shown(terminal), former: terminal.formerKey?.endsAt };
}

const retire = command({
  name: "retire",
  does: "permanently takes a terminal out of service; its key and its identifier are unknown from then on",
  details:
    "Its status must have been other than available for a minute, and nothing may be open on it.\nIts captured payments can no longer be refunded. A terminal that is only closed still makes refunds.",
  words: [
    pointOfServiceID,
    flag("--anyway", "first withdraw the refunds that it has not fetched; their partners get refund.failed"),
  ],
  examples: [`terminal retire ${TERMINAL}`],
  writes: true,
  confirms: true,
  async run({ pointOfServiceID, anyway }, { connect, confirm }) {
    const cloud = await connect();
    const ports = connectTables(cloud);
    const before = await endRetirement(ports, pointOfServiceID);
    if (before) return shownRetired(before);
    const view = await findTerminal(ports, pointOfServiceID);
    await confirm(`Permanently retire the terminal ${view.terminal.name ?? pointOfServiceID}?`);
    const others = anyway
      ? await withPlatform(cloud, (platform) => withdrawRefunds(platform, operatorCall(), view))
      : undefined;
    const retired = others ?? (await retireTerminal(ports, view, clock.now()));
    if ("why" in retired) throw new Error(whyInService(retired));
    return shownRetired(retired);
  },
});

function whyInService(found: InService): string {
  switch (found.why) {
    case "available":
      return "The terminal takes new payments: run `terminal set --status closed` first.";
    case "closedLately":
      return `A payment may still be on its way to it: try again in ${found.seconds} s.`;
    case "payments":
      return `Payments are open on it: ${found.payments.map(({ sessionId }) => sessionId).join(", ")}. See \`payment show\`. If only refunds wait, --anyway withdraws them; run it again once their webhooks are sent.`;
    case "messages":
      return `It has not answered ${found.messages} message(s): see \`terminal show\`.`;
  }
}

async function showRetired({ terminals }: TablePorts, terminalId: string) {
  const retired = await terminals.findRetired(terminalId);
  if (!retired) throw new Error("There is no such terminal.");
  return shownRetired(retired);
}

const shownRetired = (retired: Terminal) => ({ ...shown(retired), status: "retired", retiredAt: retired.retiredAt });

export const terminal: Group = {
  name: "terminal",
  does: "the terminals that take payments",
  commands: [register, list, show, showDay, set, rekey, retire],
};
