import jsQR from "jsqr";
import { PNG } from "pngjs";

/** The content of a QR picture, as a customer's phone or a terminal's scanner would read it. */
export function readQr(pngBase64: string | undefined): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(pngBase64 ?? "", "base64"));
  return jsQR.default(new Uint8ClampedArray(data), width, height)?.data;
}
