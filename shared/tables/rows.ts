/** A row as it is stored: flat columns, and the ETag of the version that was read. */
export interface Row {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly etag: string;
  readonly columns: Columns;
}
export type Columns = Readonly<Record<string, string | number | boolean>>;

/** One step of a group. Replacing and removing always name the ETag: an update without one would overwrite blindly. */
export type Operation =
  | { readonly kind: "insert"; readonly rowKey: string; readonly columns: Columns }
  | { readonly kind: "replace"; readonly rowKey: string; readonly columns: Columns; readonly etag: string }
  | { readonly kind: "remove"; readonly rowKey: string; readonly etag: string }
  /** Unconditional removal of a row that is there: only for one that follows another row of the same group. */
  | { readonly kind: "discard"; readonly rowKey: string }
  /** Unconditional: only for what nothing is decided on by comparing, such as a heartbeat. */
  | { readonly kind: "overwrite"; readonly rowKey: string; readonly columns: Columns };

/**
 * One table, as much of Table Storage as the platform uses. Every method may throw `Unavailable`; then what was asked may
 * have happened, or may still happen.
 */
export interface Rows {
  get(partitionKey: string, rowKey: string): Promise<Row | undefined>;
  /** The rows whose key begins so, in the order of their keys; the first so many, at most 1000, where a number is given. */
  withPrefix(partitionKey: string, prefix: string, atMost?: number): Promise<Row[]>;
  /**
   * All or none of the operations, in one partition. Throws `Conflict` when a row to insert is there, or one to replace or to
   * remove is not as it was read. At most 100 operations. Resolves to the ETag that each written row now has, in the order of the
   * operations; `undefined` for a row that was removed.
   */
  submit(partitionKey: string, operations: readonly Operation[]): Promise<readonly (string | undefined)[]>;
  /** The operation `remove` alone. */
  remove(partitionKey: string, rowKey: string, etag: string): Promise<void>;
}
