import { readFileSync } from "node:fs";
import { crc32, inflateSync } from "node:zlib";
import { MAX_LOGO_BYTES, type MailLogo } from "../../shared/domain/mail-brand.ts";
import { UsageError } from "../script.ts";
import { isSvg, pngOf } from "./svg-logo.ts";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Pixels of either side. A smaller one is no logo, and a larger one is shown shrunk. */
const [LEAST_SIDE, MOST_SIDE] = [16, 2_000];
/** What a picture needs. Everything else, such as where a photo was taken, is left out. */
const neededChunks: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
/** Samples of a pixel by its colour type, and the depths of each that PNG allows. */
const colourTypes: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

/** The bytes of a file that the operator names. Throws `UsageError`. */
export function bytesOf(path: string, option: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/**
 * The logo of these bytes of a PNG or SVG, without what a picture does not need. Throws `UsageError` with one sentence for anything but a
 * sound picture of at most 30 KB.
 */
export async function logoOf(bytes: Buffer): Promise<MailLogo> {
  return logoOfPng(isSvg(bytes) ? await pngOf(bytes) : bytes);
}

function logoOfPng(bytes: Buffer): MailLogo {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new UsageError("A logo is a PNG or an SVG, and this file is neither.");
  const chunks = chunksOf(bytes);
  const { width, height } = checkPixels(chunks);
  const png = Buffer.concat([
    SIGNATURE,
    ...chunks.filter(({ type }) => neededChunks.has(type)).map(({ whole }) => whole),
  ]);
  if (png.length > MAX_LOGO_BYTES)
    throw new UsageError(`The logo has ${png.length} bytes, and may have ${MAX_LOGO_BYTES}: make it smaller.`);
  return { png: png.toString("base64"), width, height };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With its length, type and checksum. */
  readonly whole: Buffer;
}

const DAMAGED = "The logo is damaged: save it again.";

function chunksOf(bytes: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length && chunks.at(-1)?.type !== "IEND";) {
    const end = at + 12 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : Infinity;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new UsageError(DAMAGED);
    const type = bytes.toString("latin1", at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    at = end;
  }
  if (chunks.at(-1)?.type !== "IEND") throw new UsageError(DAMAGED);
  return chunks;
}

/** The sides in pixels, once there are as many pixels as they say. */
function checkPixels(chunks: readonly Chunk[]): { readonly width: number; readonly height: number } {
  const [header] = chunks;
  if (header?.type !== "IHDR" || header.data.length !== 13) throw new UsageError(DAMAGED);
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  const interlaced = header.data.readUInt8(12);
  if ([width, height].some((side) => side < LEAST_SIDE || side > MOST_SIDE))
    throw new UsageError(`The logo is ${width} × ${height} pixels: each side has ${LEAST_SIDE} to ${MOST_SIDE}.`);
  if (interlaced) throw new UsageError("The logo is interlaced, which some mail clients do not show: save it without.");
  const expected = (Math.ceil((width * bitsOfPixel(header.data)) / 8) + 1) * height; // each line has a byte of its own
  if (sizeOfPixels(chunks, expected) !== expected) throw new UsageError(DAMAGED);
  return { width, height };
}

function bitsOfPixel(header: Buffer): number {
  const [depth, colourType] = [header.readUInt8(8), header.readUInt8(9)];
  const colour = colourTypes[colourType];
  if (!colour?.depths.includes(depth)) throw new UsageError(DAMAGED);
  return depth * colour.samples;
}

/** The bytes of the unpacked pixels; never many more than are expected, whatever the file holds. */
function sizeOfPixels(chunks: readonly Chunk[], expected: number): number {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  try {
    return inflateSync(packed, { maxOutputLength: expected + 1 }).length;
  } catch {
    return -1; // it is packed wrongly, or has more
  }
}
