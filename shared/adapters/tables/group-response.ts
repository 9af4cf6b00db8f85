/** The response to one operation of a group. */
export interface StepResponse {
  readonly status: number;
  readonly etag: string | undefined;
  readonly contentType: string;
  readonly text: string;
}

/**
 * The responses in a group's response: one for each operation, or a single one that rejects the whole group. Undefined if the body is
 * incomplete or malformed, because the missing part may be the important one.
 */
export function stepsOf(contentType: string, text: string): readonly StepResponse[] | undefined {
  const [changes, ...more] = partsOf(contentType, text) ?? [];
  if (!changes || more.length > 0) return undefined;
  const steps = partsOf(changes.contentType, changes.text)?.map(toStep) ?? [];
  return steps.length > 0 && steps.every((step) => step !== undefined) ? steps : undefined;
}

interface Part {
  readonly contentType: string;
  readonly text: string;
}

/** The parts of a multipart body, from its first delimiter to the closing one. */
function partsOf(contentType: string, text: string): readonly Part[] | undefined {
  const boundary = /^multipart\/mixed;\s*boundary="?([\w'()+,./:=?-]+)"?\s*$/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const [before, ...pieces] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const after = pieces.pop();
  if (before !== "" || after === undefined || !/^--\s*$/.test(after)) return undefined;
  const parts = pieces.map((piece) => (piece.startsWith("\r\n") ? toPart(piece.slice(2)) : undefined));
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function toPart(piece: string): Part | undefined {
  const [head, text] = atEmptyLine(piece);
  return { contentType: header(head, "content-type") ?? "", text };
}

function toStep({ contentType, text }: Part): StepResponse | undefined {
  if (!/^application\/http\b/i.test(contentType)) return undefined;
  const status = /^HTTP\/1\.1 (\d{3})(?: [^\r\n]*)?\r\n/.exec(text)?.[1];
  if (status === undefined) return undefined;
  const [head, body] = atEmptyLine(text);
  return {
    status: Number(status),
    etag: header(head, "etag"),
    contentType: header(head, "content-type") ?? "",
    text: body,
  };
}

/** Headers and body. Without an empty line there is no body. */
function atEmptyLine(text: string): readonly [head: string, body: string] {
  const at = text.indexOf("\r\n\r\n");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 4)];
}

function header(head: string, name: string): string | undefined {
  for (const line of head.split("\r\n")) {
    const at = line.indexOf(":");
    if (at === name.length && line.slice(0, at).toLowerCase() === name) return line.slice(at + 1).trim();
  }
  return undefined;
}
