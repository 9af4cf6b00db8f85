import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { generatedMail, mailModule } from "../../../infra/documents/mails/mail-html.ts";

it("the mail's HTML matches its MJML (else: npm run mails)", async () => {
  expect(await readFile(generatedMail, "utf8")).toBe(await mailModule());
});
