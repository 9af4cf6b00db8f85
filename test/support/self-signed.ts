import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A certificate and its private key, both as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/**
 * A self-signed certificate for `localhost` and 127.0.0.1, valid for a day. A client that trusts it as an authority accepts its server. It
 * is created for each test, so that the repository contains no key. The code is here because Node creates keys but not certificates.
 */
export function selfSigned(now = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid(2, 5, 4, 3), tagged(UTF8_STRING, Buffer.from("localhost")))));
  const validity = sequence(utcTime(now - DAY_MS), utcTime(now + DAY_MS));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(isAuthority, alternativeNames)),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256, bitString(signature));
  return { cert: pem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

// ---- DER, as far as a certificate needs it

const [INTEGER, BIT_STRING, OCTET_STRING, OID, UTF8_STRING, UTC_TIME] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x17];
const [SEQUENCE, SET, CONTEXT, CONTEXT_CONSTRUCTED] = [0x30, 0x31, 0x80, 0xa0];

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(SEQUENCE, Buffer.concat(parts));
}

function oid(first: number, second: number, ...more: readonly number[]): Buffer {
  const bytes = more.flatMap((part) => {
    const septets = [part & 0x7f];
    for (let rest = part >> 7; rest > 0; rest >>= 7) septets.unshift(0x80 | (rest & 0x7f));
    return septets;
  });
  return tagged(OID, Buffer.from([first * 40 + second, ...bytes]));
}

const set = (...parts: readonly Buffer[]) => tagged(SET, Buffer.concat(parts));
const explicit = (number: number, content: Buffer) => tagged(CONTEXT_CONSTRUCTED | number, content);
const integer = (bytes: Buffer) => tagged(INTEGER, bytes);
const bitString = (bytes: Buffer) => tagged(BIT_STRING, Buffer.concat([Buffer.from([0]), bytes]));
/** `YYMMDDhhmmssZ` */
const utcTime = (ms: number) =>
  tagged(UTC_TIME, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/\D/g, "")}Z`));
const extension = (id: Buffer, value: Buffer) => sequence(id, tagged(OCTET_STRING, value));
const pem = (der: Buffer) => {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
};

const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
const isAuthority = extension(oid(2, 5, 29, 19), sequence(tagged(0x01, Buffer.from([0xff]))));
const alternativeNames = extension(
  oid(2, 5, 29, 17),
  sequence(tagged(CONTEXT | 2, Buffer.from("localhost")), tagged(CONTEXT | 7, Buffer.from([127, 0, 0, 1]))),
);
