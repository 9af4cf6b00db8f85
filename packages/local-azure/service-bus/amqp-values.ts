import rhea, { type Typed } from "rhea";

const { types } = rhea;

/**
 * An AMQP value with its type. The broker forwards these values unchanged. A conversion to JavaScript would lose whether a number was an
 * int, a long or a double, and a .NET receiver casts to the type that was sent.
 */
export interface AmqpValue {
  readonly type: { readonly typecode: number };
  readonly value: unknown;
  readonly descriptor?: AmqpValue;
}

/** A value that can be written as AMQP. rhea chooses the type of a plain JavaScript value. */
export type Writable =
  | AmqpValue
  | string
  | boolean
  | Buffer
  | Date
  | undefined
  | Writable[]
  | { [key: string]: Writable };

const code = { long: 0x81, timestamp: 0x83 } as const;
const ticksPerMillisecond = 10_000n;
const ticksUntil1970 = 621_355_968_000_000_000n;

export const int = (value: number): AmqpValue => types.wrap_int(value);
export const uint = (value: number): AmqpValue => types.wrap_uint(value);
export const long = (value: number): AmqpValue => types.wrap_long(value);
export const string = (value: string): AmqpValue => types.wrap_string(value);
export const symbol = (value: string): AmqpValue => types.wrap_symbol(value);
export const timestamp = (milliseconds: number): AmqpValue => types.wrap_timestamp(milliseconds);
export const uuid = (text: string): AmqpValue => types.wrap_uuid(uuidBytes(text));
export const list = (values: readonly Writable[]): AmqpValue => types.wrap_list(values);
export const longs = (values: readonly number[]): AmqpValue => types.wrap_array(values, code.long, undefined);
export const timestamps = (values: readonly number[]): AmqpValue => types.wrap_array(values, code.timestamp, undefined);
export const wrap = (value: Writable): AmqpValue => types.wrap(value);

/** A map with string keys. */
export const map = (values: ReadonlyMap<string, Writable>): AmqpValue => types.wrap_map(Object.fromEntries(values));

/** A map with symbol keys, as in annotations. */
export const symbolMap = (values: ReadonlyMap<string, Writable>): AmqpValue =>
  types.wrap_symbolic_map(Object.fromEntries(values));

/** A time in .NET's unit: 100 ns since the year 1, in a long that is too large for a JavaScript number. */
export function ticks(milliseconds: number): AmqpValue {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(milliseconds) * ticksPerMillisecond + ticksUntil1970);
  return types.wrap_long(bytes);
}

export const uuidBytes = (text: string): Buffer => Buffer.from(text.replaceAll("-", ""), "hex");

/** The values of a map by key. A value that is not a map counts as an empty map. */
export function entriesOf(value: AmqpValue | undefined): Map<string, AmqpValue> {
  const entries = new Map<string, AmqpValue>();
  if (!value || !types.is_map(value as Typed)) return entries;
  const flat = value.value as AmqpValue[];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const [key, entry] = flat.slice(i, i + 2);
    if (key && entry) entries.set(String(key.value), entry);
  }
  return entries;
}

/** The elements of a list or an array. Any other value counts as a list with one element. */
export function itemsOf(value: AmqpValue | undefined): AmqpValue[] {
  if (!value || value.value === null) return [];
  return Array.isArray(value.value) ? (value.value as AmqpValue[]) : [value];
}

export const textOf = (value: AmqpValue | undefined): string | undefined =>
  typeof value?.value === "string" ? value.value : undefined;

export const bytesOf = (value: AmqpValue | undefined): Buffer | undefined =>
  Buffer.isBuffer(value?.value) ? value.value : undefined;

export function uuidTextOf(value: AmqpValue): string {
  const bytes = bytesOf(value);
  return bytes?.length === 16 ? rhea.uuid_to_string(bytes) : "";
}

/** A number of any width. rhea leaves longs beyond 2^53 as bytes. */
export function numberOf(value: AmqpValue | undefined): number | undefined {
  if (typeof value?.value === "number") return value.value;
  if (value?.value instanceof Date) return value.value.getTime();
  const bytes = bytesOf(value);
  return bytes?.length === 8 ? Number(bytes.readBigInt64BE()) : undefined;
}
