import { writeFile } from "node:fs/promises";
import { newScript, runScript } from "../../tools/script.ts";
import { generatedMail, mailModule } from "./mail-html.ts";

export const script = newScript("npm run mails --", "Writes the mail's HTML from its MJML.").action(async () =>
  writeFile(generatedMail, await mailModule()),
);

if (import.meta.main) await runScript(script);
