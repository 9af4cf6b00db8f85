import { createHmac, createSecretKey, randomUUID } from "node:crypto";
import { Pool } from "undici";
import type { Columns } from "../../shared/ports/rows.ts";

/** A row to write. With an ETag it replaces that row; without one it is inserted. */
export interface RawWrite {
  readonly rowKey: string;
  readonly columns: Columns;
  readonly etag?: string;
}

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly text: string;
}

/** Table Storage over plain HTTP. Signing, sending and reading is the least that a call can cost a client. Keys must not need encoding. */
export function rawTable(connection: string, table: string) {
  const part = (name: string) => new RegExp(`(?:^|;)${name}=([^;]+)`).exec(connection)?.[1] ?? "";
  const account = part("AccountName");
  const key = createSecretKey(Buffer.from(part("AccountKey"), "base64"));
  const { origin, pathname: root } = new URL(part("TableEndpoint"));
  const pool = new Pool(origin);

  async function call(
    method: string,
    path: string,
    more: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answer> {
    const date = new Date().toUTCString();
    const signature = createHmac("sha256", key).update(`${date}\n/${account}${root}/${path}`).digest("base64");
    const response = await pool.request({
      method,
      path: `${root}/${path}`,
      headers: {
        "x-ms-date": date,
        "x-ms-version": "2019-02-02",
        authorization: `SharedKeyLite ${account}:${signature}`,
        accept: "application/json;odata=nometadata",
        dataserviceversion: "3.0",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...more,
      },
      ...(body !== undefined && { body }),
    });
    const etag = String(response.headers["etag"] ?? "");
    return { status: response.statusCode, etag, text: await response.body.text() };
  }
  const rowPath = (partitionKey: string, rowKey: string) =>
    `${table}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`;
  const entity = (partitionKey: string, { rowKey, columns }: RawWrite) =>
    JSON.stringify({ PartitionKey: partitionKey, RowKey: rowKey, ...columns });
  const taken = (answer: Answer): Answer => {
    if (answer.status >= 300) throw new Error(`the table answered ${answer.status}: ${answer.text}`);
    return answer;
  };

  return {
    /** Undefined if there is no such row. */
    async get(partitionKey: string, rowKey: string): Promise<unknown> {
      const answer = await call("GET", rowPath(partitionKey, rowKey));
      return answer.status === 404 ? undefined : JSON.parse(taken(answer).text);
    },
    /** Returns the row's ETag. */
    async write(partitionKey: string, row: RawWrite): Promise<string> {
      const body = entity(partitionKey, row);
      const answer =
        row.etag === undefined
          ? await call("POST", table, { prefer: "return-no-content" }, body)
          : await call("PUT", rowPath(partitionKey, row.rowKey), { "if-match": row.etag }, body);
      return taken(answer).etag;
    },
    /** Writes all rows or none. */
    async group(partitionKey: string, rows: readonly RawWrite[]): Promise<void> {
      const [batch, changes] = [`batch_${randomUUID()}`, `changeset_${randomUUID()}`];
      const parts = rows.map((row) => {
        const [method, path] = row.etag === undefined ? ["POST", table] : ["PUT", rowPath(partitionKey, row.rowKey)];
        const headers = [
          `${method} ${origin}${root}/${path} HTTP/1.1`,
          "accept: application/json;odata=nometadata",
          "content-type: application/json",
          "dataserviceversion: 3.0",
          "prefer: return-no-content",
          ...(row.etag === undefined ? [] : [`if-match: ${row.etag}`]),
        ].join("\r\n");
        return `--${changes}\r\ncontent-type: application/http\r\ncontent-transfer-encoding: binary\r\n\r\n${headers}\r\n\r\n${entity(partitionKey, row)}\r\n`;
      });
      const body = `--${batch}\r\ncontent-type: multipart/mixed; boundary=${changes}\r\n\r\n${parts.join("")}--${changes}--\r\n--${batch}--\r\n`;
      const { text } = taken(
        await call("POST", "$batch", { "content-type": `multipart/mixed; boundary=${batch}` }, body),
      );
      const refused = /HTTP\/1\.1 ([45]\d\d)/.exec(text)?.[1];
      if (refused !== undefined) throw new Error(`the table answered a group with ${refused}: ${text}`);
    },
    close: () => pool.close(),
  };
}
export type RawTable = ReturnType<typeof rawTable>;
