// The code that a customer shows or types: Crockford's base 32, with his check symbol, in groups.

const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Modulo 37 detects every wrong symbol and every swap of two symbols. The last five symbols are used only as check symbols. */
const CHECK_SYMBOLS = `${SYMBOLS}*~$=U`;

const DATA_SYMBOLS = 15;
const BITS = DATA_SYMBOLS * 5;
const GROUPS = /.{4}(?=.)/g;

/** The code of 75 bits, `7KQ2-9XHD-M3PC-W8T*`. Bytes beyond the first ten are ignored. Throws if there are fewer bits. */
export function spellCode(bytes: Uint8Array): string {
  if (bytes.length * 8 < BITS) throw new Error(`a code needs at least ${BITS} bits`);
  const used = bytes.slice(0, Math.ceil(BITS / 8));
  const spare = BigInt(used.length * 8 - BITS);
  const value = used.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) >> spare;
  const symbols = Array.from({ length: DATA_SYMBOLS }, (_, i) => {
    const shift = BigInt(5 * (DATA_SYMBOLS - 1 - i));
    return SYMBOLS[Number((value >> shift) & 31n)];
  }).join("");
  return `${symbols}${checkSymbol(symbols)}`.replaceAll(GROUPS, "$&-");
}

/**
 * The fifteen symbols of a code, whatever its case and hyphens. Letters that look like digits are read as those digits. Undefined if the
 * text is not a code, or if its check symbol is wrong.
 */
export function readCode(typed: string): string | undefined {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  if (plain.length !== DATA_SYMBOLS + 1) return undefined;
  const symbols = plain.slice(0, DATA_SYMBOLS);
  if (Array.from(symbols).some((symbol) => !SYMBOLS.includes(symbol))) return undefined;
  return plain.at(-1) === checkSymbol(symbols) ? symbols : undefined;
}

const checkSymbol = (symbols: string): string | undefined =>
  CHECK_SYMBOLS[Array.from(symbols).reduce((rest, symbol) => (rest * 32 + SYMBOLS.indexOf(symbol)) % 37, 0)];
