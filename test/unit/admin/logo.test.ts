import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { logoOf, readLogo } from "../../../infra/admin/logo.ts";
import { mailLogoRecord } from "../../../shared/domain/mail-brand.ts";
import { UsageError } from "../../../infra/script.ts";

const aPng = (width = 64, height = 32) => PNG.sync.write(new PNG({ width, height }));
/** A chunk with a true checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
const signature = aPng().subarray(0, 8);
/** A PNG of 64 × 32 pixels, of these bytes of header and pixels. */
function built({ depth = 8, colourType = 6, interlaced = 0, pixels = (64 * 4 + 1) * 32 }): Buffer {
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 32, depth, colourType, 0, 0, interlaced]);
  const packed = deflateSync(Buffer.alloc(pixels));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", packed), chunk("IEND", Buffer.alloc(0))]);
}

describe("a logo", () => {
  it("is the PNG with its pixels, as a brand keeps it", () => {
    const logo = logoOf(aPng(300, 80));
    expect(logo).toMatchObject({ width: 300, height: 80 });
    expect(mailLogoRecord.safeParse(logo).success).toBe(true);
    expect(PNG.sync.read(Buffer.from(logo.png, "base64"))).toMatchObject({ width: 300, height: 80 });
  });

  it("carries nothing but a picture: no text, no place, nothing behind its end", () => {
    const bytes = aPng();
    const secret = chunk("tEXt", Buffer.from("Author\0anna@example.com"));
    const whole = Buffer.concat([bytes.subarray(0, 33), secret, bytes.subarray(33), Buffer.from("trailing words")]);
    expect(logoOf(whole)).toEqual(logoOf(bytes));
  });

  it("is taken in every depth that PNG has", () => {
    for (const [colourType, depth, bits] of [
      [0, 1, 1],
      [2, 16, 48],
      [3, 4, 4],
      [4, 8, 16],
      [6, 8, 32],
    ] as const)
      expect(logoOf(built({ colourType, depth, pixels: ((64 * bits) / 8 + 1) * 32 }))).toMatchObject({ width: 64 });
  });

  it.each<[string, Buffer, RegExp]>([
    [
      "an SVG",
      Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
      /this is an SVG: .*rsvg-convert/,
    ],
    ["a JPEG", Buffer.from("ffd8ffe000104a46", "hex"), /^A logo is a PNG, and this file is none\.$/],
    ["an empty file", Buffer.alloc(0), /this file is none/],
    ["a PNG that was cut off", aPng().subarray(0, 60), /damaged/],
    ["a PNG with a bit turned", Buffer.from(aPng()).fill(0xff, 45, 46), /damaged/],
    ["fewer pixels than it says", built({ pixels: 100 }), /damaged/],
    ["more pixels than it says", built({ pixels: 50_000_000 }), /damaged/],
    ["a depth that PNG has not", built({ colourType: 2, depth: 4 }), /damaged/],
    ["interlaced", built({ interlaced: 1 }), /interlaced/],
    ["a single pixel", aPng(1, 1), /1 × 1 pixels: each side has 16 to 2000/],
    ["a poster", aPng(2_001, 20), /2001 × 20 pixels/],
    ["too many bytes", noise(), /bytes, and may have 30720: make it smaller/],
  ])("is refused in one sentence: %s", (_, bytes, sentence) => {
    expect(() => logoOf(bytes)).toThrow(UsageError);
    expect(() => logoOf(bytes)).toThrow(sentence);
  });

  it("is read from a file; one that is not there is named", () => {
    const path = join(mkdtempSync(join(tmpdir(), "logo-")), "logo.png");
    expect(() => readLogo(path)).toThrow(/^--logo: .*logo\.png cannot be read \(ENOENT\)\.$/);
    writeFileSync(path, aPng());
    expect(readLogo(path)).toEqual(logoOf(aPng()));
  });
});

/** Pixels that do not pack. */
function noise(): Buffer {
  const png = new PNG({ width: 120, height: 120 });
  let seed = 1;
  for (let i = 0; i < png.data.length; i++) png.data[i] = (seed = (seed * 48_271) % 2_147_483_647) & 255;
  return PNG.sync.write(png);
}
