import { accessTokenTemplateRecord } from "../domain/access-token-template.ts";
import { mailTroubleRecord } from "../domain/mail-trouble.ts";
import type { AccessTokenTemplates } from "../ports/access-token-templates.ts";
import { mailTroubleRow, TEMPLATE_PREFIX, templateRow, TEMPLATES_PARTITION } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

/** Templates in the table `AccessTokenTemplates`. Only the operator's commands write them; workers note how their mails fare. */
export function accessTokenTemplatesTable(rows: Rows): AccessTokenTemplates {
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
    async saveTrouble(trouble, read) {
      const [rowKey, columns] = [mailTroubleRow(trouble.templateId), toColumns(trouble)];
      await rows.submit(TEMPLATES_PARTITION, [
        read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },
      ]);
    },
  };
}
