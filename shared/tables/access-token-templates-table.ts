import { z } from "zod";
import { tokenKinds, type AccessTokenTemplate, type TokenValue } from "../domain/access-token-template.ts";
import type { AccessTokenTemplates } from "../ports/access-token-templates.ts";
import { TEMPLATE_PREFIX, templateRow, TEMPLATES_PARTITION } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

const text = z.string();
export const tokenValueRecord: z.ZodType<TokenValue> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("amount"), amount: z.int(), currency: text }),
  z.object({ kind: z.literal("percent"), percent: z.number() }),
]);
const templateRecord: z.ZodType<AccessTokenTemplate> = z.object({
  templateId: text,
  name: text,
  kind: z.enum(tokenKinds),
  value: tokenValueRecord.optional(),
  merchantId: text.optional(),
  validSeconds: z.number(),
  locale: text,
  timeZone: text,
  endsAt: text.optional(),
  createdAt: text,
});

/** Templates in the table `AccessTokenTemplates`. Written by the operator's commands only. */
export function accessTokenTemplatesTable(rows: Rows): AccessTokenTemplates {
  return {
    async find(templateId) {
      const row = await rows.get(TEMPLATES_PARTITION, templateRow(templateId));
      return row && fromRow(row, templateRecord);
    },
    async list() {
      return (await rows.withPrefix(TEMPLATES_PARTITION, TEMPLATE_PREFIX)).map((row) => fromRow(row, templateRecord));
    },
    async add(template) {
      const columns = toColumns(template, { name: template.name, kind: template.kind });
      await rows.submit(TEMPLATES_PARTITION, [{ kind: "insert", rowKey: templateRow(template.templateId), columns }]);
    },
  };
}
