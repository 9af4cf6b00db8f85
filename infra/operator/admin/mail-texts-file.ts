import * as z from "zod";
import { mailTextLimits, mailTextsRecord, type MailTexts } from "../../../shared/domain/mail-brand.ts";
import { UsageError } from "../../tools/script.ts";
import { bytesOf } from "./logo.ts";

/** A file of texts: by locale, the texts by name. `null` removes the texts of a locale. */
const fileSchema = z.record(z.string(), z.strictObject(mailTextsRecord.shape).nullable());

/** Reads the texts by locale, in the spelling of `Intl`. Throws `UsageError` with one sentence that names the place. */
export function readMailTexts(path: string): Record<string, MailTexts | null> {
  const { success, data, error } = fileSchema.safeParse(jsonOf(path));
  if (!success) {
    const { path: place = [], message = "" } = error.issues[0] ?? {};
    throw new UsageError(
      `--texts: ${place.join(".") || "the file"}: ${message}. Its texts: ${Object.keys(mailTextLimits).join(", ")}.`,
    );
  }
  return Object.fromEntries(Object.entries(data).map(([locale, texts]) => [canonical(locale), texts]));
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(bytesOf(path, "--texts").toString("utf8"));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--texts: ${path} is not JSON.`);
  }
}

function canonical(locale: string): string {
  try {
    return new Intl.Locale(locale).baseName;
  } catch {
    throw new UsageError(`--texts: ${locale} is not a locale.`); // Intl throws for an unknown form
  }
}
