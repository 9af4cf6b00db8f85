/** A row as Azurite stores it, with its metadata. */
export interface Entity {
  readonly PartitionKey: string;
  readonly RowKey: string;
}

/** The keys that a query covers, including both bounds. An absent bound sets no limit. */
export interface KeyRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The rows of a table in the order of their keys, by UTF-16 code units, as Azurite sorts its responses. It has the members of a lokijs
 * collection that Azurite's store calls, and rejects what lokijs rejects. Finding a row takes logarithmic time. Writing a row moves the
 * references after it in its partition.
 */
export interface SortedTable {
  /** The name by which the store finds its tables. */
  readonly name: string;
  findOne(keys: Entity): Entity | null;
  /** Throws if a row with these keys exists already. */
  insert(entity: Entity): Entity;
  /** Replaces the row with the same keys. Throws if there is none. */
  update(entity: Entity): Entity;
  /** Throws if this row object is not in the table. */
  remove(entity: Entity): void;
  /** The rows of a range of partitions and a range of row keys, in the order of their keys. */
  rows(within: Within): Iterable<Entity>;
}

/** The range that a query covers. */
export interface Within {
  readonly partitions: KeyRange;
  readonly rows: KeyRange;
  /** The position at which a page starts. Earlier pages had the rows before it. */
  readonly start?: { readonly partition: string; readonly row: string | undefined } | undefined;
}

interface Partition {
  readonly key: string;
  readonly rows: Entity[];
}

const rowKey = ({ RowKey }: Entity): string => RowKey;
const partitionKey = ({ key }: Partition): string => key;

/** `changed` is called with each row that was written or removed. */
export function sortedTable(name: string, changed: (row: Entity) => void = () => {}): SortedTable {
  const byKey = new Map<string, Partition>();
  const sorted: Partition[] = [];

  function partitionFor(key: string): Partition {
    const found = byKey.get(key);
    if (found) return found;
    const partition = { key, rows: [] };
    byKey.set(key, partition);
    sorted.splice(firstFrom(sorted, partitionKey, key), 0, partition);
    return partition;
  }

  /** The position of the row with these keys. Undefined if there is none. */
  function find({ PartitionKey, RowKey }: Entity) {
    const partition = byKey.get(PartitionKey);
    if (!partition) return undefined;
    const place = firstFrom(partition.rows, rowKey, RowKey);
    const row = partition.rows[place];
    return row?.RowKey === RowKey ? { partition, place, row } : undefined;
  }

  return {
    name,
    findOne: (keys) => find(keys)?.row ?? null,
    insert(entity) {
      if (find(entity)) throw new Error(`table ${name} has a row with the keys of the one to be inserted`);
      const { rows } = partitionFor(entity.PartitionKey);
      rows.splice(firstFrom(rows, rowKey, entity.RowKey), 0, entity);
      changed(entity);
      return entity;
    },
    update(entity) {
      const found = find(entity);
      if (!found) throw new Error(`table ${name} has no row with the keys of the one to be updated`);
      found.partition.rows[found.place] = entity;
      changed(entity);
      return entity;
    },
    remove(entity) {
      const found = find(entity);
      if (found?.row !== entity) throw new Error(`table ${name} does not have the row to be removed`);
      const { partition, place } = found;
      partition.rows.splice(place, 1);
      changed(entity);
      if (partition.rows.length > 0) return;
      byKey.delete(partition.key);
      sorted.splice(firstFrom(sorted, partitionKey, partition.key), 1);
    },
    *rows({ partitions, rows, start }) {
      const all = { ...partitions, from: higher(partitions.from, start?.partition) };
      for (const partition of between(sorted, partitionKey, all)) {
        const isFirst = partition.key === start?.partition;
        yield* between(partition.rows, rowKey, isFirst ? { ...rows, from: higher(rows.from, start?.row) } : rows);
      }
    },
  };
}

const higher = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;

/** The position of the first item whose key is not below this one. */
function firstFrom<Item>(items: readonly Item[], keyOf: (item: Item) => string, key: string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyOf(items[middle] as Item) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* between<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  { from, to }: KeyRange,
): Generator<Item, void> {
  for (let place = from === undefined ? 0 : firstFrom(items, keyOf, from); place < items.length; place++) {
    const item = items[place] as Item;
    if (to !== undefined && keyOf(item) > to) return;
    yield item;
  }
}
