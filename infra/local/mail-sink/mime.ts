/** A mail as its reader sees it. */
export interface ReadMail {
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly { readonly filename: string; readonly contentType: string; readonly base64: string }[];
}

interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads a mail from its SMTP text: the part of MIME that mailers use for plain letters with attachments. */
export function readMail(raw: string): ReadMail {
  const mail = readPart(raw);
  const parts = leaves(mail);
  const isAttachment = ({ headers }: Part) => /^attachment|^inline/i.test(headers["content-disposition"] ?? "");
  const body = (type: string) => {
    const part = parts.find((p) => mediaType(p) === type && !isAttachment(p));
    return part ? bytesOf(part).toString("utf8").replaceAll("\r\n", "\n") : "";
  };
  return {
    subject: decodedWords(mail.headers["subject"] ?? ""),
    headers: mail.headers,
    text: body("text/plain"),
    html: body("text/html"),
    attachments: parts.filter(isAttachment).map((part) => ({
      filename: parameter(part.headers["content-disposition"], "filename") ?? "",
      contentType: mediaType(part),
      base64: bytesOf(part).toString("base64"),
    })),
  };
}

/** Headers with folded lines joined, and the text after the empty line. Each byte is one character. */
function readPart(raw: string): Part {
  const [, head = "", body = ""] = /^(.*?)\r\n\r\n(.*)$/s.exec(raw) ?? [];
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const named = lines.map((line) => /^([^:]+):\s*(.*)$/s.exec(line)).filter((match) => match !== null);
  return { headers: Object.fromEntries(named.map(([, name = "", value = ""]) => [name.toLowerCase(), value])), body };
}

function leaves(part: Part): Part[] {
  const boundary = parameter(part.headers["content-type"], "boundary");
  if (boundary === undefined) return [part];
  const pieces = `\r\n${part.body}`.split(`\r\n--${boundary}`).slice(1, -1); // the parts before the first boundary and after the last are empty
  return pieces.flatMap((piece) => leaves(readPart(piece.replace(/^[ \t]*\r\n/, ""))));
}

const mediaType = ({ headers }: Part): string =>
  (headers["content-type"] ?? "text/plain").split(";")[0]?.trim().toLowerCase() ?? "";

function parameter(header: string | undefined, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]*))`, "i").exec(header ?? "") ?? [];
  return quoted ?? bare;
}

function bytesOf({ headers, body }: Part): Buffer {
  switch (headers["content-transfer-encoding"]?.toLowerCase()) {
    case "base64":
      return Buffer.from(body, "base64");
    case "quoted-printable":
      return fromQuotedPrintable(body.replaceAll(/=[ \t]*\r\n/g, ""));
    default:
      return Buffer.from(body, "latin1");
  }
}

const fromQuotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

/** Decodes `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`, the form of non-ASCII text in headers. Space between two of them has no meaning. */
const decodedWords = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      (encoding.toLowerCase() === "b"
        ? Buffer.from(text, "base64")
        : fromQuotedPrintable(text.replaceAll("_", " "))
      ).toString("utf8"),
    );
