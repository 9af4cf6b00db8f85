import { z } from "zod";

/**
 * One version of what is stored, as rows and messages with its number as `v` hold it. In memory everything has the newest form: `read`
 * brings what this version holds to that form, and `write` goes back. Both keep what they do not know.
 */
interface StoredForm {
  readonly read: (content: unknown) => unknown;
  /** Undefined for what this version cannot hold: it is written in the newest form, and waits for a release that reads that. */
  readonly write: (content: unknown) => unknown;
}
/** The forms by their versions. */
export type StoredForms = Readonly<Record<number, StoredForm>>;

const asItIs: StoredForm = { read: (content) => content, write: (content) => content };

/** The version that brought the books. Payments keep them once it is written, because every process reads it then. */
export const booksVersion = 2;

/** A terminal's day, what lists and delivers it, and its alerts: a release without them cannot read any. */
const isOfTerminalDay = (content: object): boolean =>
  ("subject" in content && kindIn(content.subject) === "terminalDay") || DAY_ALERTS.has(kindIn(content));

const DAY_ALERTS: ReadonlySet<unknown> = new Set(["dayDiffers", "dayMissing"]);

/** The alert about mails, as its row or as the message that raises it. */
const isAboutMails = (content: object): boolean =>
  kindIn(content) === "mailsFailing" || ("raised" in content && kindIn(content.raised) === "mailsFailing");

/** Before there was a reason of its own for a mail that was refused for its content, its request named the address. */
const inFirstForm = (content: unknown): unknown =>
  typeof content === "object" && content !== null && "statusReason" in content && content.statusReason === "mailRefused"
    ? { ...content, statusReason: "addressRefused" }
    : content;
const kindIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;

/**
 * A payment that keeps books, or a command that books money: a release that dropped either would lose money from the books. A terminal's day
 * and an alert of a newer kind cannot be read by one without them.
 */
const holdsNewer = (content: unknown): boolean =>
  typeof content === "object" &&
  content !== null &&
  ("keepsBooks" in content ||
    ("effects" in content && effectsOf(content).some(({ kind }) => kind === "booking")) ||
    isOfTerminalDay(content) ||
    isAboutMails(content));

const effectsOf = ({ effects }: { readonly effects: unknown }): readonly { readonly kind?: unknown }[] =>
  Array.isArray(effects) ? effects : [];

/**
 * The versions that this release reads: the newest one, and the one before it while a row or message of it may exist. A release writes the
 * older one until `WRITE_VERSION` switches it, so that the release beside it or before it can read everything.
 */
export const storedForms: StoredForms = {
  1: { read: asItIs.read, write: (content) => (holdsNewer(content) ? undefined : inFirstForm(content)) },
  2: asItIs,
};

export const versionsOf = (forms: StoredForms): number[] => Object.keys(forms).map(Number);
export const newestOf = (forms: StoredForms): number => Math.max(...versionsOf(forms));

/** The version of what is in memory. */
export const newestVersion = newestOf(storedForms);
/** The version that every release beside this one reads. What writes without a setting, as an operator's command does, writes it. */
export const oldestVersion = Math.min(...versionsOf(storedForms));

/** The member `v` of a message. */
export const messageVersion = z.literal(versionsOf(storedForms));

/** A message as it was received, in the newest form; unchanged where this release does not read its version. */
export function fromMessage(message: unknown, forms: StoredForms = storedForms): unknown {
  if (typeof message !== "object" || message === null || !("v" in message)) return message;
  const form = typeof message.v === "number" ? forms[message.v] : undefined;
  return form ? { ...(form.read(message) as object), v: newestOf(forms) } : message;
}

/** A message in the form of the version, as it is sent; in the newest one where that cannot hold it. Throws for a version that this release does not know. */
export function toMessage(message: object, version: number, forms: StoredForms = storedForms): object {
  const written = formOf(version, forms).write(message);
  return written === undefined ? message : { ...(written as object), v: version };
}

/** Throws for a version that this release does not know. */
export function formOf(version: number, forms: StoredForms): StoredForm {
  const form = forms[version];
  if (!form) throw new RangeError(`this release knows no version ${version} of what is stored`);
  return form;
}
