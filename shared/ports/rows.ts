/** A row as it is stored: flat columns, and the ETag of the version that was read. */
export interface Row {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly etag: string;
  readonly columns: Columns;
}
export type Columns = Readonly<Record<string, string | number | boolean>>;

/** One operation of a group. A replacement and a removal always name the ETag: without one they would overwrite unseen changes. */
export type Operation =
  | { readonly kind: "insert"; readonly rowKey: string; readonly columns: Columns }
  | { readonly kind: "replace"; readonly rowKey: string; readonly columns: Columns; readonly etag: string }
  | { readonly kind: "remove"; readonly rowKey: string; readonly etag: string }
  /** Unconditional removal of an existing row: only for a row that changes together with another row of the same group. */
  | { readonly kind: "discard"; readonly rowKey: string }
  /** Unconditional write: only for rows on which no decision is based by comparison, such as a heartbeat. */
  | { readonly kind: "overwrite"; readonly rowKey: string; readonly columns: Columns };

/** Where a reader stands among the rows of a partition whose key begins with the prefix, and the key before which it stops. */
export interface Position {
  readonly prefix: string;
  readonly rowKey: string;
  readonly before?: string | undefined;
}

/** One table that is read as a whole, which only the operator's export and import do. Throws `Unavailable`. */
export interface WholeTable {
  /**
   * The rows of every partition after the named one, or of all, in the order of their keys. Rows that are written meanwhile may be read or
   * not; each row is read at a moment of its own.
   */
  rowsAfter(partitionKey?: string): AsyncIterable<Row>;
}

/**
 * One table, with the part of Table Storage that the platform uses. Every method may throw `Unavailable`; then the requested operation may
 * have happened, or may still happen.
 */
export interface Rows {
  get(partitionKey: string, rowKey: string): Promise<Row | undefined>;
  /** The rows whose key begins with the prefix, in the order of their keys; at most `atMost` of them, which is 1000 at most. */
  withPrefix(partitionKey: string, prefix: string, atMost?: number): Promise<Row[]>;
  /**
   * The first of the rows whose key begins with the prefix, is greater than `rowKey` and, where it is given, less than `before`, in the
   * order of their keys; at most `atMost` of them, which is 1 to 1000, or all where it is `Infinity`. No row need have these keys. The call
   * reads no row before the first one that it returns.
   */
  after(partitionKey: string, position: Position, atMost: number): Promise<Row[]>;
  /**
   * Carries out all or none of the operations, at most 100, in one partition. Throws `Conflict` when a row to insert exists, or a row to
   * replace or to remove is not as it was read. Returns the new ETag of each written row, in the order of the operations; `undefined` for a
   * removed row.
   */
  submit(partitionKey: string, operations: readonly Operation[]): Promise<readonly (string | undefined)[]>;
  /** Carries out the operation `remove` alone. */
  remove(partitionKey: string, rowKey: string, etag: string): Promise<void>;
}
