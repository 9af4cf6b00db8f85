/** A row as it is stored: flat columns, and the ETag of the version that was read. */
export interface Row {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly etag: string;
  readonly columns: Columns;
}
export type Columns = Readonly<Record<string, string | number | boolean>>;

/** One operation of a group. A replacement and a removal always name the ETag. Without it they would overwrite unseen changes. */
export type Operation =
  | { readonly kind: "insert"; readonly rowKey: string; readonly columns: Columns }
  | { readonly kind: "replace"; readonly rowKey: string; readonly columns: Columns; readonly etag: string }
  | { readonly kind: "remove"; readonly rowKey: string; readonly etag: string }
  /** Unconditional removal of an existing row. Only for a row that changes together with another row of the same group. */
  | { readonly kind: "discard"; readonly rowKey: string }
  /** Unconditional write. Only for rows whose ETag protects no decision, such as a heartbeat. */
  | { readonly kind: "overwrite"; readonly rowKey: string; readonly columns: Columns };

/** The place of a reader among the rows of a partition whose key begins with the prefix, and the key before which it stops. */
export interface Position {
  readonly prefix: string;
  readonly rowKey: string;
  readonly before?: string | undefined;
}

/** One table that is read as a whole. Only the operator's export and import do that. Throws `Unavailable`. */
export interface WholeTable {
  /**
   * The rows of every partition after the named one, or of all, in the order of their keys. Rows that are written meanwhile may or may not
   * be read. Each row is read at its own moment.
   */
  rowsAfter(partitionKey?: string): AsyncIterable<Row>;
}

/**
 * One table, with the part of Table Storage that the platform uses. Every method may throw `Unavailable`. The requested operation may then
 * have happened, or may still happen.
 */
export interface Rows {
  get(partitionKey: string, rowKey: string): Promise<Row | undefined>;
  /**
   * The rows whose key begins with the prefix, in the order of their keys. Returns all of them, or at most `atMost` (1000 at most) if it is
   * given.
   */
  withPrefix(partitionKey: string, prefix: string, atMost?: number): Promise<Row[]>;
  /**
   * The first rows, in the order of their keys, whose key begins with the prefix and is greater than `rowKey`. If `before` is given, the
   * key is also less than `before`. Returns at most `atMost` rows: 1 to 1000, or all if it is `Infinity`. These keys need not be of
   * existing rows. The call reads no row before the first row that it returns.
   */
  after(partitionKey: string, position: Position, atMost: number): Promise<Row[]>;
  /**
   * Carries out all of the operations or none, at most 100, in one partition. Throws `Conflict` if a row to insert exists, or if a row to
   * replace or to remove is not as it was read. Returns the new ETag of each written row, in the order of the operations. For a removed row
   * it is `undefined`.
   */
  submit(partitionKey: string, operations: readonly Operation[]): Promise<readonly (string | undefined)[]>;
  /** Carries out only the operation `remove`. */
  remove(partitionKey: string, rowKey: string, etag: string): Promise<void>;
}
