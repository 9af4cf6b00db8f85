import { generateKeyPairSync, sign } from "node:crypto";

/** A new self-signed certificate for 127.0.0.1, valid until 2049. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const commonName = oid(0x55, 0x04, 0x03);
  const subjectAltName = oid(0x55, 0x1d, 0x11);
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("A partner's server")))));
  const validity = sequence(time("000101000000Z"), time("491231235959Z"));
  const address = der(0x87, Buffer.from([127, 0, 0, 1]));
  const extensions = der(0xa3, sequence(sequence(subjectAltName, der(0x04, sequence(address)))));
  const publicKeyInfo = publicKey.export({ type: "spki", format: "der" });
  const head = [der(0xa0, integer(2)), integer(1), ecdsaWithSha256];
  const content = sequence(...head, name, validity, name, publicKeyInfo, extensions);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", content, privateKey));
  const certificate = sequence(content, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const wide = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  const size = length < 0x80 ? [length] : wide;
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const oid = (...bytes: readonly number[]) => der(0x06, Buffer.from(bytes));
const time = (text: string) => der(0x17, Buffer.from(text));
