import { parseArgs } from "node:util";
import {
  alertKinds,
  closeAlert as close,
  isAlertKind,
  type Alert,
  type AlertIdentity,
  type AlertKind,
  type AlertSubject,
} from "../../shared/domain/alert.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import type { StoredAlert } from "../../shared/ports/alerts.ts";
import type { Payments } from "../../shared/ports/payments.ts";
import type { Subcommand } from "./subcommand.ts";
import { clock, connectTables } from "./platform.ts";

const text = { type: "string" } as const;
/** How its alerts are named, where they are of no payment and no terminal. */
const PLATFORM = "platform";
/** A row holds what the operator writes. */
const MAX_WORDS = 500;

export const listAlerts: Subcommand = {
  name: "alert list",
  usage: "[--all]",
  does: "lists what operators have to look at, the first raised first; with --all what was closed, too",
  async run(args, connect) {
    const { values } = parseArgs({ args, options: { all: { type: "boolean", default: false } } });
    const { alerts } = connectTables(await connect());
    return (values.all ? await alerts.all() : await alerts.listOpen()).map(shown);
  },
};

export const showAlerts: Subcommand = {
  name: "alert show",
  usage: "<sessionID | terminalID | platform>",
  does: "shows the alerts of a payment, a terminal or the platform, open and closed, the first raised first: what each means, what to do, and what raised it",
  async run(args, connect) {
    const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
    const name = nameOf(positionals, 1);
    const { alerts, payments } = connectTables(await connect());
    const found = await alerts.of(name);
    if (found.length === 0) throw new Error("There is no alert of this name.");
    return Promise.all(
      found.toSorted(byFirstRaised).map(async ({ alert }) => {
        const changes = await changesOf(alert, payments);
        const { reports } = alert;
        return {
          ...shown(alert),
          ...alertKinds[alert.kind],
          ...(changes && { changes }),
          ...(reports.length > 0 && { reports }),
        };
      }),
    );
  },
};

/** The changes of the payment that raised an alert of it, with the terminal's words. */
async function changesOf({ subject, raisedBy }: Alert, payments: Payments) {
  if (subject.kind !== "payment") return undefined;
  return (await payments.history(subject)).filter(({ sequence }) => raisedBy.includes(sequence));
}

const byFirstRaised = ({ alert: one }: StoredAlert, { alert: other }: StoredAlert): number =>
  one.firstAt < other.firstAt ? -1 : 1;

export const closeAlert: Subcommand = {
  name: "alert close",
  usage:
    "<sessionID | terminalID | platform> <kind> [--about <id>] [--partner <partnerID>] [--day <YYYY-MM-DD>] --by <who> --why <text>",
  does: `closes an alert that was seen to; recorded with who and why, and created again when it is raised again\n${kindsHelp()}`,
  async run(args, connect) {
    const { name, kind, about, within, closing } = readWords(args);
    const { alerts } = connectTables(await connect());
    const ofKind = (await alerts.of(name)).filter(({ alert }) => alert.kind === kind && isWithin(alert, within));
    const exactly = ofKind.filter(({ alert }) => alert.about === about);
    const read = theOne(about === undefined && exactly.length === 0 ? ofKind : exactly);
    const closed = close(read.alert, closing);
    if (!closed) throw new Error("It is closed already.");
    await alerts.save(closed, read);
    return shown(closed);
  },
};

function readWords(args: string[]) {
  const options = { about: text, partner: text, day: text, by: text, why: text };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { about, partner, day, by, why } = values;
  const name = nameOf(positionals, 2);
  const kind = kindOf(positionals[1]);
  if (!by || !why) throw new Error("Say --by whom and --why.");
  if (by.length > MAX_WORDS || why.length > MAX_WORDS) {
    throw new Error(`--by and --why have up to ${MAX_WORDS} characters.`);
  }
  const closing = { by, why, at: clock.now() };
  const within = { partnerId: partner?.toLowerCase(), day };
  return { name, kind, about: about?.toLowerCase(), within, closing };
}

function nameOf([name = "", ...more]: readonly string[], words: number): string {
  if (!(isIdentifier(name) || name === PLATFORM) || more.length !== words - 1) {
    throw new Error(
      words === 1
        ? "Name one session or terminal by its identifier, or the platform."
        : "Name the session, the terminal or the platform, and the kind of the alert.",
    );
  }
  return name.toLowerCase();
}

/** What tells subjects of one name apart. */
interface Within {
  readonly partnerId: string | undefined;
  readonly day: string | undefined;
}

const isWithin = ({ subject }: Alert, { partnerId, day }: Within): boolean =>
  (partnerId === undefined || (subject.kind !== "platform" && subject.partnerId === partnerId)) &&
  (day === undefined || (subject.kind === "terminal" && subject.day === day));

function kindOf(word = ""): AlertKind {
  if (!isAlertKind(word)) throw new Error(`An alert is one of: ${Object.keys(alertKinds).join(", ")}.`);
  return word;
}

/** An alert is closed only where its name leaves no doubt. */
function theOne(found: readonly StoredAlert[]): StoredAlert {
  const [one, ...others] = found;
  if (!one) throw new Error("There is no such alert.");
  if (others.length === 0) return one;
  const names = found.map(({ alert }) => [...within(alert), ...aboutOf(alert)].join(" "));
  throw new Error(`There are several; name one:\n${names.join("\n")}`);
}

const within = ({ subject }: AlertIdentity): string[] => {
  if (subject.kind === "platform") return [];
  return ["--partner", subject.partnerId, ...(subject.kind === "terminal" ? ["--day", subject.day] : [])];
};

const aboutOf = ({ about }: AlertIdentity): string[] => (about === undefined ? [] : ["--about", about]);

/** An alert in short: without what the platform keeps to count each cause once, and without what terminals told. */
const shown = ({ subject, kind, about, status, detail, count, firstAt, lastAt, closings }: Alert) => ({
  alert: kind,
  ...shownSubject(subject),
  about,
  status,
  detail,
  count,
  firstAt,
  lastAt,
  closings,
});

function shownSubject(subject: AlertSubject) {
  switch (subject.kind) {
    case "payment":
      return { partnerID: subject.partnerId, sessionID: subject.sessionId };
    case "terminal":
      return { partnerID: subject.partnerId, pointOfServiceID: subject.terminalId, day: subject.day };
    case "platform":
      return { platform: true };
  }
}

function kindsHelp(): string {
  return Object.entries(alertKinds)
    .map(([kind, { means, toDo }]) => `      ${kind}: ${means} ${toDo}`)
    .join("\n");
}
