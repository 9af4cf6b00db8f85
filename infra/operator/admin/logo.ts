import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE, type MailLogo } from "../../../shared/domain/mail-brand.ts";
import { UsageError } from "../../tools/script.ts";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** The smallest allowed side in pixels. */
const LEAST_SIDE = 16;
/** The chunks that a picture needs. All others are removed, such as the place where a photo was taken. */
const neededChunks: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

/** Reads the file that the operator names. Throws `UsageError`. */
export function bytesOf(path: string, option: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** The logo in a PNG file, reduced to the chunks that a picture needs. Throws `UsageError` with one sentence if it breaks a limit. */
export function logoOf(bytes: Buffer): MailLogo {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new UsageError("The logo is not a PNG: save the SVG or other picture as a PNG.");
  const chunks = chunksOf(bytes);
  const { width, height } = sidesOf(chunks);
  const kept = chunks.filter(({ type }) => neededChunks.has(type)).map(({ whole }) => whole);
  const png = Buffer.concat([SIGNATURE, ...kept]);
  if (png.length > MAX_LOGO_BYTES)
    throw new UsageError(`The logo has ${png.length} bytes, but may have at most ${MAX_LOGO_BYTES}: make it smaller.`);
  return { png: png.toString("base64"), width, height };
}

interface Chunk {
  readonly type: string;
  /** Includes its length, type and checksum. */
  readonly whole: Buffer;
}

const DAMAGED = "The logo is damaged: save it again.";

/** The chunks of a PNG, up to its end. */
function chunksOf(bytes: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.at(-1)?.type !== "IEND";) {
    const end = at + 12 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : Infinity;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new UsageError(DAMAGED);
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), whole: bytes.subarray(at, end) });
    at = end;
  }
  return chunks;
}

/** The width and height in pixels, from the header. */
function sidesOf(chunks: readonly Chunk[]): { readonly width: number; readonly height: number } {
  const [header] = chunks;
  if (header?.type !== "IHDR" || header.whole.length !== 25 || !chunks.some(({ type }) => type === "IDAT"))
    throw new UsageError(DAMAGED);
  const [width, height, interlaced] = [header.whole.readUInt32BE(8), header.whole.readUInt32BE(12), header.whole[20]];
  if ([width, height].some((side) => side < LEAST_SIDE || side > MAX_LOGO_SIDE))
    throw new UsageError(
      `The logo is ${width} × ${height} pixels: each side must have ${LEAST_SIDE} to ${MAX_LOGO_SIDE}.`,
    );
  if (interlaced)
    throw new UsageError("The logo is interlaced, which some mail clients do not show: save it without interlacing.");
  return { width, height };
}
