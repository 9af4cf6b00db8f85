import { isIdentifier } from "../../../../shared/domain/identifier.ts";
import { settableStatuses, type Terminal } from "../../../../shared/domain/terminal.ts";
import type { TerminalView } from "../../../../shared/stores/terminals.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import {
  endRetirement,
  registerTerminal,
  rekeyTerminal,
  retireTerminal,
  type InService,
} from "../../../../shared/use-cases/operator/onboarding/terminals.ts";
import { readTerminalStatus } from "../../../../shared/use-cases/terminals/read-terminal-status.ts";
import { setTerminalStatus } from "../../../../shared/use-cases/terminals/set-terminal-status.ts";
import { standardTimings } from "../../../../shared/domain/timings.ts";
import { command, type Group } from "../command.ts";
import { withdrawRefunds } from "../../../../shared/use-cases/operator/onboarding/withdraw-refunds.ts";
import { clock, connectTables, keyMaker, newId, operatorCall, withPlatform } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { argument, duration, flag, identifier, matching, oneOf, option, plain, required, standard } from "../words.ts";
import { findPartner } from "./partner.ts";

const partner = required("--partner <partnerID>", "the partner that serves the terminal", identifier);
const pointOfServiceID = argument("<pointOfServiceID>", "the terminal", identifier);
const PARTNER = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
const TERMINAL = "c7f6a1b2-3d4e-4f50-8a61-7b8c9d0e1f20";
const ONCE = "The terminal key is not shown again.";

const terminalName = matching(/^(?=\s*\S)[^\p{Cc}]{1,100}$/u, "A terminal has a --name of up to 100 characters.");

/** Keeps the case as typed, for responses. */
const idAsTyped = plain((typed, name) => {
  if (!isIdentifier(typed)) throw new UsageError(`${name} is an identifier: a UUID.`);
  return typed;
});

const register = command({
  name: "register",
  does: "registers a terminal, and shows its key once",
  details:
    "If it breaks off, run it again with the same arguments and the terminal's --id. It then shows another key, unless the terminal has already\ncalled the platform. `terminal list` shows the identifier.",
  words: [
    partner,
    required("--merchant <merchantID>", "the merchant that it takes money for", identifier),
    required("--name <text>", "its name, such as that of its till: up to 100 characters", terminalName),
    option("--id <pointOfServiceID>", "its identifier, a UUID; default: a new one", idAsTyped),
    flag("--strict-orders", "accept each order only once, and reject a repeated one"),
  ],
  examples: [`terminal register ${PARTNER} --merchant 1c9f7b6a-2e3d-4c5b-8a69-78f0e1d2c3b4 --name "Till 3"`],
  writes: true,
  async run({ partner: partnerId, merchant: merchantId, name, id = newId(), strictOrders }, { connect, note }) {
    const cloud = await connect();
    const deps = { ...connectTables(cloud), newKeys: keyMaker(cloud) };
    await findPartner(deps.partners, partnerId);
    const wish = { idAsReceived: id, partnerId, merchantId, name, strictOrders };
    const registered = await registerTerminal(deps, wish, clock.now()).catch((error: unknown) => {
      note(`The terminal may already be registered. Run the command again with --id ${id} to get a key for it.`);
      throw error;
    });
    if (!registered) throw new Error("A terminal with this identifier was registered before.");
    note(ONCE);
    return { terminalKey: registered.terminalKey, ...shown(registered.terminal) };
  },
});

const list = command({
  name: "list",
  does: "lists a partner's terminals that are in service",
  words: [partner],
  columns: ["pointOfServiceID", "name", "status", "lastSeenAt", "merchantID"],
  examples: [`terminal list ${PARTNER}`],
  async run({ partner: partnerId }, { connect }) {
    const ports = connectTables(await connect());
    await findPartner(ports.partners, partnerId);
    const terminalIds = await ports.partners.terminalIds(partnerId);
    const found = await Promise.all(terminalIds.map((terminalId) => ports.terminals.find(terminalId)));
    // A terminal is listed before it is stored.
    return Promise.all(
      found.flatMap((view) => (view?.terminal.partnerId === partnerId ? [observed(ports, view)] : [])),
    );
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
    const call = { ...operatorCall(), caller: { partnerId: terminal.partnerId, keyId: "operator" } };
    await setTerminalStatus({ ...ports, timings: standardTimings }, call, status, pointOfServiceID);
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

async function findTerminal({ terminals }: Pick<TablePorts, "terminals">, terminalId: string): Promise<TerminalView> {
  const view = await terminals.find(terminalId);
  if (view) return view;
  const retired = await terminals.findRetired(terminalId);
  throw new Error(retired ? "The terminal is retired." : "There is no such terminal.");
}

async function showRetired({ terminals }: TablePorts, terminalId: string) {
  const retired = await terminals.findRetired(terminalId);
  if (!retired) throw new Error("There is no such terminal.");
  return shownRetired(retired);
}

const shownRetired = (retired: Terminal) => ({ ...shown(retired), status: "retired", retiredAt: retired.retiredAt });

const shown = ({ idAsReceived, name, partnerId, merchantId, strictOrders }: Terminal) => ({
  pointOfServiceID: idAsReceived,
  name,
  partnerID: partnerId,
  merchantID: merchantId,
  strictOrders,
});

/** The terminal with its status as partners see it. */
async function observed(ports: TablePorts, { terminal }: TerminalView) {
  const call = { ...operatorCall(), caller: { partnerId: terminal.partnerId, keyId: "operator" } };
  const status = await readTerminalStatus({ ...ports, timings: standardTimings }, call, terminal.terminalId);
  return {
    ...shown(terminal),
    status: status.ok ? status.value.status : terminal.status,
    lastSeenAt: status.ok ? status.value.lastSeenAt : undefined,
  };
}

export const terminal: Group = {
  name: "terminal",
  does: "the terminals that take payments",
  commands: [register, list, show, set, rekey, retire],
};
