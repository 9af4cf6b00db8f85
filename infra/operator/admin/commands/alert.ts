import { alertKinds } from "../../../../shared/domain/alert-kinds.ts";
import {
  closeAlert,
  isAlertKind,
  nameOfSubject,
  reopenAlert,
  type Alert,
  type AlertIdentity,
  type AlertSubject,
} from "../../../../shared/domain/alert.ts";
import { isIdentifier } from "../../../../shared/domain/identifier.ts";
import type { Payment } from "../../../../shared/domain/payment/record/payment.ts";
import type { StoredAlert } from "../../../../shared/stores/alerts.ts";
import { whoDecides } from "../trail.ts";
import { command, type Context, type Given, type Group } from "../command.ts";
import { alertDetail } from "../../common/alert-detail.ts";
import { doubtSince, doubtText } from "../../common/doubt.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { namesText, terminalNames, type TerminalNames } from "../terminal-names.ts";
import { namesOf, withWholeCommands } from "../../common/whole-commands.ts";
import { UsageError } from "../../../tools/script.ts";
import { causeOf, paymentOf } from "./alert-cause.ts";
import { argument, day, flag, identifier, option, plain, plainText, remark, required } from "../words.ts";

/** The name of an alert that belongs to neither a payment nor a terminal. */
const PLATFORM = "platform";

const nameRead = plain((typed) => {
  if (!isIdentifier(typed) && typed !== PLATFORM)
    throw new UsageError("Name a session or terminal by its identifier, or use the word platform.");
  return typed.toLowerCase();
});
const name = argument("<name>", "the payment's session, the terminal, or the word platform", nameRead);

const alertKind = plain((typed) => {
  if (!isAlertKind(typed)) throw new UsageError(`An alert is one of: ${Object.keys(alertKinds).join(", ")}.`);
  return typed;
});

/** The explanation of the kinds in the help. */
const kinds = `Kinds:\n${Object.entries(alertKinds)
  .map(([kind, { means, toDo }]) => `  ${kind}: ${means} ${toDo}`)
  .join("\n")}`;

const list = command({
  name: "list",
  does: "lists the open alerts, the oldest first, with the current state of each cause",
  words: [flag("--all", "also list closed alerts")],
  columns: ["alert", "name", "now"],
  examples: ["alert list", "alert list --all --json"],
  async run({ all }, { connect, note }) {
    const tables = connectTables(await connect());
    const found = all ? await tables.alerts.all() : await tables.alerts.listOpen();
    const names = await terminalNames(tables, found.map(terminalOf), note);
    return Promise.all(
      found.map(async (alert) => {
        const payment = await paymentOf(tables, alert);
        const { cause } = await causeOf(tables, alert, payment);
        const ofTerminal = names(terminalOf(alert));
        const row = { ...shown(alert, payment, ofTerminal), cause };
        const standing = cause ?? [row.about, row.detail].filter(Boolean).join(": ");
        return { ...row, ...inShort(alert, standing, namesText(ofTerminal)) };
      }),
    );
  },
});

const show = command({
  name: "show",
  does: "shows all alerts of a payment, a terminal or the platform, the oldest first: the meaning, the current state of the cause, what to do, and what raised it",
  words: [name],
  examples: ["alert show 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70", "alert show platform"],
  as: "records",
  async run({ name }, { connect, note }) {
    const tables = connectTables(await connect());
    const { alerts, payments } = tables;
    const found = await alerts.of(name);
    if (found.length === 0) throw new Error("There is no alert with this name.");
    const namesOfTerminal = await terminalNames(
      tables,
      found.map(({ alert }) => terminalOf(alert)),
      note,
    );
    return Promise.all(
      found.toSorted(byFirstRaised).map(async ({ alert }) => {
        const { subject, kind, about, reports, raisedBy } = alert;
        const history = subject.kind === "payment" ? await payments.history(subject) : undefined;
        const changes = history?.filter(({ sequence }) => raisedBy.includes(sequence));
        const { means, toDo } = alertKinds[kind];
        const payment = await paymentOf(tables, alert);
        const { isOver, ...cause } = await causeOf(tables, alert, payment);
        const names = namesOf({ terminalId: payment?.terminalId, ...subject, kind, about });
        const since = payment && doubtSince(alert, payment, history ?? []);
        return {
          ...shown(alert, payment, namesOfTerminal(terminalOf(alert))),
          ...(since !== undefined && { inDoubt: doubtText(since, clock.now()) }),
          means,
          ...(!isOver && { toDo: withWholeCommands(toDo, names) }),
          ...cause,
          ...(changes && { changes }),
          ...(reports.length > 0 && { reports }),
        };
      }),
    );
  },
});

/** The terminal of the alert or of its payment. */
const terminalOf = ({ subject }: Pick<Alert, "subject">): string | undefined =>
  subject.kind === "platform" ? undefined : subject.terminalId;

const byFirstRaised = ({ alert: one }: StoredAlert, { alert: other }: StoredAlert): number =>
  one.firstAt < other.firstAt ? -1 : 1;

const aboutOne = [
  name,
  argument("<kind>", "the kind of the alert", alertKind),
  option("--about <id>", "the refund, charge or queue that the alert is about, if there are several alerts", plainText),
  option("--partner <partnerID>", "the partner, if two partners have a session with this identifier", identifier),
  option("--day <YYYY-MM-DD>", "the day of a terminal's alert", day),
  option("--by <who>", "who decides; leave it out if the cloud has identities, because it then records yours", remark),
];

const close = command({
  name: "close",
  does: "closes an alert after its cause was handled, and records who closed it and why; if the cause occurs again, the alert opens again",
  words: [...aboutOne, required("--why <text>", "what was done", remark)],
  details: kinds,
  examples: ['alert close 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70 outcomeUnknown --by ada --why "resolved as unpaid"'],
  writes: true,
  run: (given, { connect }) => decide(given, connect, closeAlert),
});

const reopen = command({
  name: "reopen",
  does: "opens a closed alert again, so that its payment can be corrected, and records who opened it and why; nobody is called",
  words: [...aboutOne, required("--why <text>", "why it is open again", remark)],
  examples: ['alert reopen 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70 outcomeUnknown --by ada --why "closed in error"'],
  writes: true,
  run: (given, { connect }) => decide(given, connect, reopenAlert),
});

/** Records an operator's decision on the one alert that the words name. Throws if the alert already has that state. */
async function decide(
  { name, kind, about: typed, partner: partnerId, day, by, why }: Given<typeof aboutOne> & { readonly why: string },
  connect: Context["connect"],
  decision: typeof closeAlert,
) {
  const about = typed?.toLowerCase();
  const cloud = await connect();
  const { alerts } = connectTables(cloud);
  const who = await whoDecides(cloud, by);
  const ofKind = (await alerts.of(name)).filter(
    ({ alert }) => alert.kind === kind && isWithin(alert, { partnerId, day }),
  );
  const exactly = ofKind.filter(({ alert }) => alert.about === about);
  const read = theOne(about === undefined && exactly.length === 0 ? ofKind : exactly);
  const decided = decision(read.alert, { by: who, why, at: clock.now() });
  if (!decided) throw new Error(`The alert is already ${read.alert.status}.`);
  await alerts.save(decided, read);
  return shown(decided);
}

export const alert: Group = {
  name: "alert",
  does: "alerts for operators",
  commands: [list, show, close, reopen],
};

/** Distinguishes subjects with the same name. */
interface Within {
  readonly partnerId: string | undefined;
  readonly day: string | undefined;
}

const isWithin = ({ subject }: Alert, { partnerId, day }: Within): boolean =>
  (partnerId === undefined || (subject.kind !== "platform" && subject.partnerId === partnerId)) &&
  (day === undefined || (subject.kind === "terminal" && subject.day === day));

/** Returns the only alert found. Throws if the name matches none or several, so that a command never closes the wrong one. */
function theOne(found: readonly StoredAlert[]): StoredAlert {
  const [one, ...others] = found;
  if (!one) throw new Error("There is no such alert.");
  if (others.length === 0) return one;
  const names = found.map(({ alert }) => [...within(alert), ...aboutOf(alert)].join(" "));
  throw new Error(`There are several alerts; name one:\n${names.join("\n")}`);
}

const within = ({ subject }: AlertIdentity): string[] => {
  if (subject.kind === "platform") return [];
  return ["--partner", subject.partnerId, ...(subject.kind === "terminal" ? ["--day", subject.day] : [])];
};

const aboutOf = ({ about }: AlertIdentity): string[] => (about === undefined ? [] : ["--about", about]);

/** The short form of an alert, without the terminals' reports and without the identifiers that deduplicate its causes. */
function shown(alert: Alert, payment?: Payment, names?: TerminalNames) {
  const { subject, kind, about, status, count, firstAt, lastAt, closings, reopenings } = alert;
  return {
    alert: kind,
    ...shownSubject(subject),
    ...names,
    about,
    status,
    detail: alertDetail(alert, payment),
    count,
    firstAt,
    lastAt,
    ...(closings.length > 0 && { closings }),
    reopenings,
  };
}

/** The list's columns for an alert: the name that `alert show` takes, and its terminal, the state of its cause, and its time. */
function inShort({ subject, status, closings, firstAt }: Alert, cause: string, terminal: string | undefined) {
  const { by, why } = closings.at(-1) ?? {};
  const since = `${firstAt.slice(0, "2026-11-21T10:00".length)}Z`;
  const now = status === "closed" ? `Closed by ${by}: ${why}` : cause;
  const where = terminal === undefined ? "" : `${terminal}: `;
  return { name: nameOfSubject(subject), since, now: `${where}${now} (raised ${since})` };
}

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
