import { parseArgs } from "node:util";
import {
  alertKinds,
  closeAlert as close,
  isAlertKind,
  type Alert,
  type AlertIdentity,
  type AlertKind,
} from "../../shared/domain/alert.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import type { StoredAlert } from "../../shared/ports/alerts.ts";
import type { Command } from "./command.ts";
import { clock, openTables } from "./platform.ts";

const text = { type: "string" } as const;
/** A row holds what the operator writes. */
const MOST_WORDS = 500;

export const listAlerts: Command = {
  name: "alert list",
  usage: "[--all]",
  does: "lists what operators have to look at, the first raised first; with --all what was closed, too",
  async run(args, connect) {
    const { values } = parseArgs({ args, options: { all: { type: "boolean", default: false } } });
    const { alerts } = openTables(await connect());
    return (values.all ? await alerts.all() : await alerts.open()).map(shown);
  },
};

export const showAlerts: Command = {
  name: "alert show",
  usage: "<sessionID>",
  does: "shows a payment's alerts, open and closed, the first raised first: what each means, what to do, and the changes that raised it",
  async run(args, connect) {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
    const session = sessionOf(positionals, 1);
    const { alerts, payments } = openTables(await connect());
    const found = await alerts.ofSession(session);
    if (found.length === 0) throw new Error("There is no alert of this session.");
    return Promise.all(
      found.toSorted(byFirstRaised).map(async ({ alert }) => {
        const history = await payments.history(alert);
        const changes = history.filter(({ sequence }) => alert.raisedBy.includes(sequence));
        return { ...shown(alert), ...alertKinds[alert.kind], changes };
      }),
    );
  },
};

const byFirstRaised = ({ alert: one }: StoredAlert, { alert: other }: StoredAlert): number =>
  one.firstAt < other.firstAt ? -1 : 1;

export const closeAlert: Command = {
  name: "alert close",
  usage: "<sessionID> <kind> [--about <id>] [--partner <partnerID>] --by <who> --why <text>",
  does: `closes an alert that was seen to; recorded with who and why, and opened again when it is raised again\n${kindsHelp()}`,
  async run(args, connect) {
    const { session, kind, about, partner, closing } = readWords(args);
    const { alerts } = openTables(await connect());
    const ofKind = (await alerts.ofSession(session)).filter(
      ({ alert }) => alert.kind === kind && (partner === undefined || alert.partnerId === partner),
    );
    const exactly = ofKind.filter(({ alert }) => alert.about === about);
    const read = theOne(about === undefined && exactly.length === 0 ? ofKind : exactly);
    const closed = close(read.alert, closing);
    if (!closed) throw new Error("It is closed already.");
    await alerts.save(closed, read);
    return shown(closed);
  },
};

function readWords(args: string[]) {
  const options = { about: text, partner: text, by: text, why: text };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { about, partner, by, why } = values;
  const session = sessionOf(positionals, 2);
  const kind = kindOf(positionals[1]);
  if (!by || !why) throw new Error("Say --by whom and --why.");
  if (by.length > MOST_WORDS || why.length > MOST_WORDS) {
    throw new Error(`--by and --why have up to ${MOST_WORDS} characters.`);
  }
  const closing = { by, why, at: clock.now() };
  return { session, kind, about: about?.toLowerCase(), partner: partner?.toLowerCase(), closing };
}

function sessionOf([session = "", ...more]: readonly string[], words: number): string {
  if (!isIdentifier(session) || more.length !== words - 1) {
    throw new Error(
      words === 1 ? "Name one session by its identifier." : "Name the session and the kind of the alert.",
    );
  }
  return session.toLowerCase();
}

function kindOf(word = ""): AlertKind {
  if (!isAlertKind(word)) throw new Error(`An alert is one of: ${Object.keys(alertKinds).join(", ")}.`);
  return word;
}

/** An alert is closed only where its name leaves no doubt. */
function theOne(found: readonly StoredAlert[]): StoredAlert {
  const [one, ...others] = found;
  if (!one) throw new Error("There is no such alert.");
  if (others.length === 0) return one;
  const names = found.map(({ alert }) => `--partner ${alert.partnerId}${aboutOf(alert)}`);
  throw new Error(`There are several; name one:\n${names.join("\n")}`);
}

const aboutOf = ({ about }: AlertIdentity): string => (about === undefined ? "" : ` --about ${about}`);

const shown = ({ partnerId, sessionId, kind, raisedBy: _, countedUpTo: __, ...rest }: Alert) => ({
  alert: kind,
  partnerID: partnerId,
  sessionID: sessionId,
  ...rest,
});

function kindsHelp(): string {
  return Object.entries(alertKinds)
    .map(([kind, { means, toDo }]) => `      ${kind}: ${means} ${toDo}`)
    .join("\n");
}
