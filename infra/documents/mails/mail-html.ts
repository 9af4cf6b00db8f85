import { readFile } from "node:fs/promises";
import { Engine } from "mrml";

const source = new URL("token-mail.mjml", import.meta.url);

/** The file that `npm run mails` writes. */
export const generatedMail = new URL("../../../shared/adapters/mails/generated/token-mail-html.ts", import.meta.url);

/** Renders the mail's MJML to HTML, with its placeholders. Throws if the source is not valid MJML, or if MJML warns. */
async function mailHtml(): Promise<string> {
  const engine = new Engine();
  engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} }); // no font from another server
  const rendered = engine.toHtml(await readFile(source, "utf8"));
  if (rendered.type === "error") throw new Error(`token-mail.mjml: ${rendered.message}`);
  if (rendered.warnings.length > 0) throw new Error(`token-mail.mjml: ${JSON.stringify(rendered.warnings)}`);
  return inEitherDirection(rendered.content)
    .replaceAll(/>\s*\n\s*</g, "><")
    .replaceAll(/\s*\n\s*/g, " ");
}

/** MJML writes columns and wrappers from left to right, even in a mail that is read from right to left. */
const inEitherDirection = (html: string): string =>
  html.replaceAll("direction:ltr", "direction:{{dir}}").replaceAll("text-align:left", "text-align:{{start}}");

/** The module that the app imports. */
export async function mailModule(): Promise<string> {
  return `// Written by \`npm run mails\` from infra/documents/mails/token-mail.mjml.

/** The HTML of a token's mail, with the places that \`fill\` fills. */
export const tokenMailHtml = [
${linesOf(await mailHtml())}
].join("");
`;
}

/** One line for each row, paragraph and comment, so that a change can be read. */
const linesOf = (html: string): string =>
  html
    .split(/(?=<!--\[if|<tr|<p |<h\d|<style|<meta|\{\{#)/)
    .map((line) => `  ${JSON.stringify(line)},`)
    .join("\n");
