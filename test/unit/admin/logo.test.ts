import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { bytesOf, logoOf } from "../../../infra/operator/admin/logo.ts";
import { mailLogoRecord } from "../../../shared/domain/mail-brand.ts";
import { UsageError } from "../../../infra/tools/script.ts";

const aPng = (width = 64, height = 32) => PNG.sync.write(new PNG({ width, height }));
/** A chunk with a correct checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
/** A PNG with another chunk after its header, or instead of its header. */
const withChunk = (other: Buffer, from = 33): Buffer =>
  Buffer.concat([aPng().subarray(0, from), other, aPng().subarray(33)]);
const interlaced = chunk("IHDR", Buffer.from([0, 0, 0, 64, 0, 0, 0, 32, 8, 6, 0, 0, 1]));

describe("a logo", () => {
  it("is the PNG with its pixels, as a brand stores it", () => {
    const logo = logoOf(aPng(300, 80));
    expect(logo).toMatchObject({ width: 300, height: 80 });
    expect(mailLogoRecord.safeParse(logo).success).toBe(true);
    expect(PNG.sync.read(Buffer.from(logo.png, "base64"))).toMatchObject({ width: 300, height: 80 });
  });

  it("contains only a picture: no text, no location, nothing after its end", () => {
    const secret = chunk("tEXt", Buffer.from("Author\0anna@example.com"));
    expect(logoOf(Buffer.concat([withChunk(secret), Buffer.from("trailing words")]))).toEqual(logoOf(aPng()));
  });

  it.each<[string, Buffer, RegExp]>([
    ["an SVG", Buffer.from("<svg/>"), /^The logo is not a PNG: save the SVG or other picture as a PNG\.$/],
    ["an empty file", Buffer.alloc(0), /not a PNG/],
    ["a PNG that was cut off", aPng().subarray(0, 60), /^The logo is damaged: save it again\.$/],
    ["a PNG with a bit turned", Buffer.from(aPng()).fill(0xff, 45, 46), /damaged/],
    ["a PNG without pixels", Buffer.concat([aPng().subarray(0, 33), aPng().subarray(-12)]), /damaged/],
    ["a PNG without a header", withChunk(Buffer.alloc(0), 8), /damaged/],
    ["an interlaced one", withChunk(interlaced, 8), /interlaced/],
    ["a low one", aPng(16, 15), /^The logo is 16 × 15 pixels: each side must have 16 to 2000\.$/],
    ["a wide one", aPng(2_001, 20), /2001 × 20 pixels/],
    [
      "one of too many bytes",
      withChunk(chunk("PLTE", Buffer.alloc(30_720))),
      /bytes, but may have at most 30720: make it/,
    ],
  ])("is refused in one sentence: %s", (_, bytes, sentence) => {
    expect(() => logoOf(bytes)).toThrow(UsageError);
    expect(() => logoOf(bytes)).toThrow(sentence);
  });

  it("is read from a file; a missing file is named", () => {
    const path = join(mkdtempSync(join(tmpdir(), "logo-")), "logo.png");
    expect(() => bytesOf(path, "--logo")).toThrow(/^--logo: .*logo\.png cannot be read \(ENOENT\)\.$/);
    writeFileSync(path, aPng());
    expect(bytesOf(path, "--logo")).toEqual(aPng());
  });
});
