/** The deepest nesting of lists and of descriptors. Messages and frames need fewer than ten levels. */
const maxDepth = 64;
/** Elements of an array may take no bytes. So this many values are accepted in addition to one value for each byte. */
const spareValues = 256;

/** The bytes of a value of fixed width, by the high half of its constructor. */
const fixedWidth: Readonly<Record<number, number>> = { 4: 0, 5: 1, 6: 2, 7: 4, 8: 8, 9: 16 };
const variable = [0xa, 0xb];
const compound = [0xc, 0xd];
const array = [0xe, 0xf];

/**
 * Walks over one encoded AMQP value and returns the position after it. Throws a `TypeError` if a size exceeds the bytes, or differs from
 * its content. Also throws if values are nested more than 64 deep, or if more values are claimed than the bytes could contain.
 *
 * Sizes and counts come from a client, and a decoder trusts them: an array of 2^30 nulls is eleven bytes long. After this check, a decoder
 * reads at most about one value for each byte.
 */
export function endOfValue(bytes: Buffer, start: number): number {
  const walk = new Walk(bytes, start);
  walk.value(0);
  return walk.position;
}

class Walk {
  position: number;
  readonly #bytes: Buffer;
  #valuesLeft: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.position = start;
    this.#valuesLeft = bytes.length - start + spareValues;
  }

  value(depth: number): void {
    this.#content(this.#constructorCode(depth), depth);
  }

  /** Skips descriptors, each of which is a value. Returns the code that says how the content is encoded. */
  #constructorCode(depth: number): number {
    if (depth > maxDepth) throw new TypeError("the values are nested too deep");
    const code = this.#number(1);
    if (code !== 0) return code;
    this.value(depth + 1);
    return this.#constructorCode(depth + 1);
  }

  #content(code: number, depth: number): void {
    if (--this.#valuesLeft < 0) throw new TypeError("more values are claimed than there are bytes");
    const kind = code >>> 4;
    const width = kind % 2 === 0 ? 1 : 4;
    const fixed = fixedWidth[kind];
    if (fixed !== undefined) this.#skip(fixed);
    else if (variable.includes(kind)) this.#skip(this.#number(width));
    else if (compound.includes(kind)) this.#sized(width, (count) => this.#items(count, depth + 1));
    else if (array.includes(kind)) this.#sized(width, (count) => this.#elements(count, depth + 1));
    else throw new TypeError(`0x${code.toString(16)} is no AMQP constructor`);
  }

  #sized(width: number, walkContent: (count: number) => void): void {
    const size = this.#number(width);
    const end = this.position + size;
    if (end > this.#bytes.length) throw new TypeError("a size leads out of bounds");
    walkContent(this.#number(width));
    if (this.position !== end) throw new TypeError("a size and its content differ");
  }

  #items(count: number, depth: number): void {
    for (let item = 0; item < count; item++) this.value(depth);
  }

  /** The elements of an array share one constructor. */
  #elements(count: number, depth: number): void {
    const code = this.#constructorCode(depth);
    for (let element = 0; element < count; element++) this.#content(code, depth);
  }

  #number(width: number): number {
    const at = this.position;
    this.#skip(width);
    return this.#bytes.readUIntBE(at, width);
  }

  #skip(width: number): void {
    this.position += width;
    if (this.position > this.#bytes.length) throw new TypeError("a value leads out of bounds");
  }
}
