import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { MAX_LOGO_BYTES } from "../../shared/domain/mail-brand.ts";
import { UsageError } from "../script.ts";

/** The pixels of CSS within which a mail shows a logo. */
const BOX = { width: 200, height: 64 };
/** Screens have up to three pixels for each of CSS. */
const SHARPEST = 3;
const MOST_BYTES = 1_000_000;

export const isSvg = (bytes: Buffer): boolean =>
  /^\uFEFF?\s*<(\?xml|svg|!--|!DOCTYPE)/i.test(bytes.subarray(0, 200).toString("utf8"));

/**
 * An SVG as a PNG, as sharp as a mail shows it, or less where it has more than 30 KB then. Throws `UsageError` for one that would not look
 * as it was drawn: with letters as text, for which each machine has its own fonts, or with a picture of another file.
 */
export async function pngOf(svg: Buffer): Promise<Buffer> {
  if (svg.length > MOST_BYTES)
    throw new UsageError(`The logo has ${svg.length} bytes, and an SVG may have ${MOST_BYTES}.`);
  await loadResvg();
  checkDrawing(svg);
  let png = drawn(svg, SHARPEST);
  for (let density = SHARPEST - 1; density > 0 && png.length > MAX_LOGO_BYTES; density--) png = drawn(svg, density);
  return png;
}

function checkDrawing(svg: Buffer): void {
  if (/<(?:[\w-]+:)?text[\s>]/.test(svg.toString("utf8")))
    throw new UsageError(
      "The logo is an SVG with letters as text, which look otherwise on each machine: turn them into outlines.",
    );
  const drawing = read(svg);
  if (drawing.imagesToResolve().length > 0)
    throw new UsageError("The logo is an SVG with a picture of another file: put that picture into it.");
  if (!drawing.getBBox()) throw new UsageError("The logo is an SVG that draws nothing.");
}

/** The drawing with so many pixels for each of CSS. */
function drawn(svg: Buffer, density: number): Buffer {
  const { width, height } = read(svg);
  const side = width * BOX.height > height * BOX.width ? "width" : "height";
  const drawing = read(svg, { fitTo: { mode: side, value: BOX[side] * density } });
  return Buffer.from(drawing.render().asPng());
}

function read(svg: Buffer, options?: ConstructorParameters<typeof Resvg>[1]): InstanceType<typeof Resvg> {
  try {
    return new Resvg(svg, options);
  } catch (error) {
    throw new UsageError(`The logo is an SVG that cannot be read: ${(error as Error).message}.`);
  }
}

let loaded: Promise<void> | undefined;
/** Loads the WebAssembly, which takes a tenth of a second and can be done once in a process. */
const loadResvg = (): Promise<void> =>
  (loaded ??= readFile(fileURLToPath(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))).then(initWasm));
