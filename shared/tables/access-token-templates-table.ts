import { accessTokenTemplateRecord } from "../domain/access-token-template.ts";
import { mailTroubleRecord } from "../domain/mail-trouble.ts";
import { templateLookRecord } from "../domain/template-look.ts";
import type { AccessTokenTemplates } from "../ports/access-token-templates.ts";
import { mailTroubleRow, TEMPLATE_PREFIX, templateLookRow, templateRow, TEMPLATES_PARTITION } from "./token-keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

/** Templates in the table `AccessTokenTemplates`. Only the operator's commands write them; workers note how their mails fare. */
export function accessTokenTemplatesTable(rows: Rows): AccessTokenTemplates {
  const save = async (rowKey: string, record: object, read: { readonly etag: string } | undefined): Promise<void> => {
    const columns = toColumns(record);
    await rows.submit(TEMPLATES_PARTITION, [
      read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },
    ]);
  };
  return {
    async find(templateId) {
      const row = await rows.get(TEMPLATES_PARTITION, templateRow(templateId));
      return row && fromRow(row, accessTokenTemplateRecord);
    },
    async list() {
      return (await rows.withPrefix(TEMPLATES_PARTITION, TEMPLATE_PREFIX)).map((row) =>
        fromRow(row, accessTokenTemplateRecord),
      );
    },
    async add(template) {
      const columns = toColumns(template, { name: template.name, kind: template.kind });
      await rows.submit(TEMPLATES_PARTITION, [{ kind: "insert", rowKey: templateRow(template.templateId), columns }]);
    },
    async findTrouble(templateId) {
      const row = await rows.get(TEMPLATES_PARTITION, mailTroubleRow(templateId));
      return row && { trouble: fromRow(row, mailTroubleRecord), etag: row.etag };
    },
    saveTrouble: (trouble, read) => save(mailTroubleRow(trouble.templateId), trouble, read),
    async findLook(templateId) {
      const row = await rows.get(TEMPLATES_PARTITION, templateLookRow(templateId));
      return row && { look: fromRow(row, templateLookRecord), etag: row.etag };
    },
    saveLook: (look, read) => save(templateLookRow(look.templateId), look, read),
  };
}
