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
/** The name of an alert that belongs to no payment and no terminal. */
const PLATFORM = "platform";
/** The operator's texts are stored in one row, so their length is limited. */
const MAX_WORDS = 500;

export const listAlerts: Subcommand = {
  name: "alert list",
  usage: "[--all]",
  does: "lists the alerts that wait for an operator, in the order in which they were first raised; with --all the closed ones, too",
  async run(args, connect) {
    const { values } = parseArgs({ args, options: { all: { type: "boolean", default: false } } });
    const { alerts } = connectTables(await connect());
    return (values.all ? await alerts.all() : await alerts.listOpen()).map(shown);
  },
};

export const showAlerts: Subcommand = {
  name: "alert show",
  usage: "<sessionID | terminalID | platform>",
  does: "shows the alerts of a payment, a terminal or the platform, open and closed, in the order in which they were first raised: what each means, what to do, and what raised it",
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

/** The changes of the payment that raised this alert, with the terminal's texts. */
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
  does: `closes an alert whose cause was handled, and records who and why; a new occurrence opens it again\n${kindsHelp()}`,
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

/** What distinguishes subjects of one name. */
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

/** An alert is closed only where its name identifies one alert. */
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

/** The short form of an alert: without the identifiers that count each cause once, and without the terminals' reports. */
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
