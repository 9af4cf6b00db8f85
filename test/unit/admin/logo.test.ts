import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { bytesOf, logoOf } from "../../../infra/admin/logo.ts";
import { mailLogoRecord, MAX_LOGO_BYTES } from "../../../shared/domain/mail-brand.ts";
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
  it("is the PNG with its pixels, as a brand keeps it", async () => {
    const logo = await logoOf(aPng(300, 80));
    expect(logo).toMatchObject({ width: 300, height: 80 });
    expect(mailLogoRecord.safeParse(logo).success).toBe(true);
    expect(PNG.sync.read(Buffer.from(logo.png, "base64"))).toMatchObject({ width: 300, height: 80 });
  });

  it("carries nothing but a picture: no text, no place, nothing behind its end", async () => {
    const bytes = aPng();
    const secret = chunk("tEXt", Buffer.from("Author\0anna@example.com"));
    const whole = Buffer.concat([bytes.subarray(0, 33), secret, bytes.subarray(33), Buffer.from("trailing words")]);
    expect(await logoOf(whole)).toEqual(await logoOf(bytes));
  });

  it("is taken in every depth that PNG has", async () => {
    for (const [colourType, depth, bits] of [
      [0, 1, 1],
      [2, 16, 48],
      [3, 4, 4],
      [4, 8, 16],
      [6, 8, 32],
    ] as const)
      expect(await logoOf(built({ colourType, depth, pixels: ((64 * bits) / 8 + 1) * 32 }))).toMatchObject({
        width: 64,
      });
  });

  it.each<[string, Buffer, RegExp]>([
    ["a JPEG", Buffer.from("ffd8ffe000104a46", "hex"), /^A logo is a PNG or an SVG, and this file is neither\.$/],
    ["an empty file", Buffer.alloc(0), /this file is neither/],
    ["a PNG that was cut off", aPng().subarray(0, 60), /damaged/],
    ["a PNG with a bit turned", Buffer.from(aPng()).fill(0xff, 45, 46), /damaged/],
    ["fewer pixels than it says", built({ pixels: 100 }), /damaged/],
    ["more pixels than it says", built({ pixels: 50_000_000 }), /damaged/],
    ["a depth that PNG has not", built({ colourType: 2, depth: 4 }), /damaged/],
    ["interlaced", built({ interlaced: 1 }), /interlaced/],
    ["a single pixel", aPng(1, 1), /1 × 1 pixels: each side has 16 to 2000/],
    ["a poster", aPng(2_001, 20), /2001 × 20 pixels/],
    ["too many bytes", noise(), /bytes, and may have 30720: make it smaller/],
    ["no whole SVG", Buffer.from("<svg"), /an SVG that cannot be read: .+\.$/],
    ["an SVG without a picture", anSvg(""), /draws nothing/],
    ["an SVG with letters as text", anSvg('<text y="10">Hej</text><path d="M0 0h9v9z"/>'), /turn them into outlines/],
    [
      "an SVG with a picture of another server",
      anSvg('<path d="M0 0h9v9z"/><image href="https://example.com/a.png" width="5" height="5"/>'),
      /a picture of another file/,
    ],
    ["an SVG of too many bytes", anSvg(`<!--${" ".repeat(1_000_000)}-->`), /an SVG may have 1000000/],
  ])("is refused in one sentence: %s", async (_, bytes, sentence) => {
    const refused = logoOf(bytes);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(sentence);
  });

  it("is read from a file; one that is not there is named", () => {
    const path = join(mkdtempSync(join(tmpdir(), "logo-")), "logo.png");
    expect(() => bytesOf(path, "--logo")).toThrow(/^--logo: .*logo\.png cannot be read \(ENOENT\)\.$/);
    writeFileSync(path, aPng());
    expect(bytesOf(path, "--logo")).toEqual(aPng());
  });
});

describe("a logo of an SVG", () => {
  const square = '<path d="M0 0h10v10H0z" fill="#d64933"/>';

  it.each([
    ["wide", 'viewBox="0 0 100 20"', { width: 600, height: 120 }],
    ["high", 'viewBox="0 0 20 100"', { width: 38, height: 192 }],
    ["small", 'width="10" height="10"', { width: 192, height: 192 }],
  ])("is as sharp as a mail shows it, and not larger: %s", async (_, size, sides) => {
    const logo = await logoOf(anSvg(square, size));
    expect(logo).toMatchObject(sides);
    expect(mailLogoRecord.safeParse(logo).success).toBe(true);
    const drawn = PNG.sync.read(Buffer.from(logo.png, "base64"));
    expect([...drawn.data.subarray(0, 4)]).toEqual([0xd6, 0x49, 0x33, 0xff]);
  });

  it("is less sharp where it has too many bytes otherwise", async () => {
    const { data } = PNG.sync.read(noise());
    const dots = Array.from({ length: 3_000 }, (_, i) => {
      const [x = 0, y = 0, red = 0, green = 0] = data.subarray(i * 4);
      return `<circle cx="${x}" cy="${y}" r="2" fill="rgb(${red} ${green} 90)"/>`;
    });
    const logo = await logoOf(anSvg(dots.join(""), 'viewBox="0 0 256 256"'));
    expect(logo.height).toBeLessThan(192);
    expect(Buffer.from(logo.png, "base64").length).toBeLessThanOrEqual(MAX_LOGO_BYTES);
  });

  it("runs nothing that the file says", async () => {
    const script = '<script>throw new Error("ran")</script>';
    expect(await logoOf(anSvg(script + square, 'onload="throw 1" viewBox="0 0 10 10"'))).toEqual(
      await logoOf(anSvg(square, 'viewBox="0 0 10 10"')),
    );
  });
});

function anSvg(content: string, size = 'viewBox="0 0 100 20"'): Buffer {
  return Buffer.from(`<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`);
}

/** Pixels that do not pack. */
function noise(): Buffer {
  const png = new PNG({ width: 120, height: 120 });
  let seed = 1;
  for (let i = 0; i < png.data.length; i++) png.data[i] = (seed = (seed * 48_271) % 2_147_483_647) & 255;
  return PNG.sync.write(png);
}
