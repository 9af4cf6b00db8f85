import type { AccessTokenTemplate } from "../../../../shared/domain/access-token-template.ts";
import { contrast, inkOn, mailTextLimits, type MailBrand } from "../../../../shared/domain/mail-brand.ts";
import {
  changedLook,
  ownTextsFor,
  type LookChange,
  type TemplateLook,
} from "../../../../shared/domain/template-look.ts";
import type { StoredLook } from "../../../../shared/stores/access-token-templates.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { shippedLanguages, textsMissing } from "../../../../shared/adapters/mails/texts.ts";
import { command, type Given } from "../command.ts";
import { bytesOf, logoOf } from "../logo.ts";
import { canTakePictures, noPictures, previewLocales, writePreview } from "../mail-preview.ts";
import { readMailTexts } from "../mail-texts-file.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { argument, identifier, listOf, oneOf, option, plain, required, text } from "../words.ts";

/** The template that a command uses. */
export const templateID = argument("<templateID>", "the template", identifier);

const colour = plain((typed) => {
  if (!/^#[0-9a-f]{6}$/i.test(typed))
    throw new UsageError("--colour is six hexadecimal digits after #, such as #7a2e1d.");
  return typed.toLowerCase();
});

/** The options of `create` and `set` for the look and texts of a template's mails. */
export const lookOptions = [
  option("--brand <name>", "the brand on its mails, with --colour: up to 40 characters", text),
  option(
    "--colour <#rrggbb>",
    "the colour of the card; its letters are white or black, so that they can be read",
    colour,
  ),
  option("--logo <file>", "the brand's logo: a PNG of up to 30 KB", bytesOf),
  option("--sender <name>", "the sender's name, added to the address of the settings: up to 40 characters", text),
  option("--texts <file.json>", "texts that replace the platform's own, by locale", readMailTexts),
];

const textsDetails = `A file of texts is JSON: {"sv": {"headline": "Din fika", "terms": "…"}, "fr": null}. The texts of a locale replace its stored
texts, and null removes them. A text of a language applies to all its countries, unless a locale has its own. The platform has texts in
${shippedLanguages.join(", ")}. In any other language, write all of them: see \`template preview\`. The texts, with their maximum length in characters:
${Object.entries(mailTextLimits)
  .map(([name, most]) => `  ${name} ${most}`)
  .join("\n")}`;

const parts = ["brand", "logo", "sender", "texts"] as const;

export const set = command({
  name: "set",
  does: "changes the look and the texts of a template's mails, from the next mail on; never changes what its tokens are worth",
  words: [
    templateID,
    ...lookOptions,
    option("--without <part,part>", "removes these stored parts", listOf(oneOf(parts))),
  ],
  details: textsDetails,
  examples: [
    'template set 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --brand "Fjord & Bean" --colour "#7a2e1d" --logo logo.png',
    "template set 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --texts texts.json --without sender",
  ],
  writes: true,
  async run({ templateID, without = [], ...given }, { connect }) {
    const change = changeOf(given, without);
    if (Object.keys(change).length === 0) throw new UsageError("Nothing to set: see --help.");
    const tables = connectTables(await connect());
    const template = await findTemplate(tables, templateID);
    const read = await tables.accessTokenTemplates.findLook(templateID);
    return shownLook(template, await saveLook(tables, templateID, { change, read }));
  },
});

export const preview = command({
  name: "preview",
  does: "writes the mails of a template into a folder, for a voucher and a key in every locale, and says which texts are missing",
  words: [templateID, required("--out <folder>", "where to write them", text)],
  columns: ["locale", "kind", "missing"],
  examples: ["template preview 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --out preview"],
  async run({ templateID, out: folder }, { connect, note }) {
    const tables = connectTables(await connect());
    const template = await findTemplate(tables, templateID);
    const look = (await tables.accessTokenTemplates.findLook(templateID))?.look ?? {};
    if (!canTakePictures()) note(noPictures);
    return writePreview(template, look, { folder, now: clock.now() });
  },
});

/** The change that the options request. Throws `UsageError` if they contradict each other. */
function changeOf(
  { brand: name, colour, logo: picture, sender: senderName, texts }: Given<typeof lookOptions>,
  without: readonly (typeof parts)[number][] = [],
): LookChange {
  const logo = picture && logoOf(picture);
  const set = given({ name, colour, logo, senderName });
  const isSet = { brand: Object.keys(set).length > 0, logo, sender: senderName, texts };
  if (without.some((part) => isSet[part])) throw new UsageError("--without removes a part that another option sets.");
  const taken = Object.fromEntries(without.flatMap((part) => (takenFrom[part] ? [[takenFrom[part], null]] : [])));
  const brand = without.includes("brand") ? null : { ...set, ...taken };
  return {
    ...((brand === null || Object.keys(brand).length > 0) && { brand }),
    ...(isGiven(texts, without) && { texts: texts ?? null }),
  };
}

/** The parts of a brand that can be removed, with their names in the store. */
const takenFrom: Readonly<Partial<Record<(typeof parts)[number], keyof MailBrand>>> = {
  logo: "logo",
  sender: "senderName",
};
const isGiven = (texts: object | undefined, without: readonly string[]): boolean =>
  texts !== undefined || without.includes("texts");

/** The members that were typed. */
const given = <Of extends object>(of: Of): { readonly [Name in keyof Of]?: NonNullable<Of[Name]> } =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as never;

/** The look that the options of `create` give a new template. Undefined if they set nothing. Throws `UsageError`. */
export function newLook(given: Given<typeof lookOptions>): Pick<TemplateLook, "brand" | "texts"> | undefined {
  const change = changeOf(given);
  return Object.keys(change).length > 0 ? lookWith({}, change) : undefined;
}

function lookWith(known: Pick<TemplateLook, "brand" | "texts">, change: LookChange) {
  const changed = changedLook(known, change);
  if ("why" in changed) throw new UsageError(changed.why);
  return changed;
}

/** Saves the changed look over the version that was read. Throws `Conflict` if another operator saved first. */
async function saveLook(
  { accessTokenTemplates }: TablePorts,
  templateId: string,
  { change, read }: { readonly change: LookChange; readonly read: StoredLook | undefined },
): Promise<TemplateLook> {
  const look = { templateId, ...lookWith(read?.look ?? {}, change), updatedAt: clock.now() };
  await accessTokenTemplates.saveLook(look, read);
  return look;
}

/** Throws an error for the operator if there is no such template. */
export async function findTemplate(
  { accessTokenTemplates }: Pick<TablePorts, "accessTokenTemplates">,
  templateId: string,
): Promise<AccessTokenTemplate> {
  const template = await accessTokenTemplates.find(templateId);
  if (!template) throw new Error("There is no such template.");
  return template;
}

/**
 * A look without its pictures. `missing` lists the texts that its mails show in English, because neither platform nor operator has a
 * translation.
 */
export function shownLook(template: AccessTokenTemplate, { brand, texts }: Pick<TemplateLook, "brand" | "texts">) {
  return {
    templateAccessTokenID: template.templateId,
    name: template.name,
    brand: brand?.name,
    colour: brand?.colour,
    ink: brand && `${inkOn(brand.colour)}, contrast ${contrast(brand.colour, inkOn(brand.colour)).toFixed(1)}`,
    logo:
      brand?.logo &&
      `${brand.logo.width} × ${brand.logo.height} pixels, ${Buffer.from(brand.logo.png, "base64").length} bytes`,
    sender: brand?.senderName,
    texts:
      texts && Object.fromEntries(Object.entries(texts).map(([locale, own]) => [locale, Object.keys(own).join(", ")])),
    locales: previewLocales(template, { texts }),
    missing:
      textsMissing(template.locale, template.kind, ownTextsFor({ texts }, template.locale)).join(", ") || undefined,
  };
}
