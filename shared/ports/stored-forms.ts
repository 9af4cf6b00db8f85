import * as z from "zod";

/**
 * One version of the stored form. Rows and messages of this version have its number as `v`. In memory everything has the newest form.
 * `read` converts content of this version to that form, and `write` converts it back. Both keep members that they do not know.
 */
interface StoredForm {
  readonly read: (content: unknown) => unknown;
  readonly write: (content: unknown) => unknown;
}
/** The forms by their versions. */
export type StoredForms = Readonly<Record<number, StoredForm>>;

const asItIs: StoredForm = { read: (content) => content, write: (content) => content };

/**
 * The versions that this release reads: the newest one, and the one before it while a row or message of it may exist. A release writes the
 * older version until `WRITE_VERSION` switches it. So the release that runs with it, or before it, can read everything.
 */
export const storedForms: StoredForms = {
  1: asItIs,
};

export const versionsOf = (forms: StoredForms): number[] => Object.keys(forms).map(Number);
export const newestOf = (forms: StoredForms): number => Math.max(...versionsOf(forms));

/** The version of the form in memory. */
export const newestVersion = newestOf(storedForms);
/** The version that every release running with this one can read. Writers without a setting, such as an operator's command, use it. */
export const oldestVersion = Math.min(...versionsOf(storedForms));

/** The member `v` of a message. */
export const messageVersion = z.literal(versionsOf(storedForms));

/** A message as it was received, in the newest form. Unchanged if this release does not read its version. */
export function fromMessage(message: unknown, forms: StoredForms = storedForms): unknown {
  if (typeof message !== "object" || message === null || !("v" in message)) return message;
  const form = typeof message.v === "number" ? forms[message.v] : undefined;
  return form ? { ...(form.read(message) as object), v: newestOf(forms) } : message;
}

/** A message in the form of the version, as it is sent. Throws for a version that this release does not know. */
export const toMessage = (message: object, version: number, forms: StoredForms = storedForms): object => ({
  ...(formOf(version, forms).write(message) as object),
  v: version,
});

/** Throws for a version that this release does not know. */
export function formOf(version: number, forms: StoredForms): StoredForm {
  const form = forms[version];
  if (!form) throw new RangeError(`this release knows no version ${version} of what is stored`);
  return form;
}
