/** A request of a `.http` file, with the variables' values. */
export interface PastedRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * The requests of a `.http` file, in the part of the format that `npm run docs` writes: `### name`, method and address, headers, an empty
 * line, the body. Throws for a variable without a value, and for a line of any other kind.
 */
export const requestsIn = (file: string, values: Readonly<Record<string, string>>): readonly PastedRequest[] =>
  withValues(file, values)
    .split(/^### /m)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [head = "", body] = part.split(/\n\n([\s\S]+)/);
      const [name = "", first = "", ...headers] = head.trimEnd().split("\n");
      const [, method, url] = /^([A-Z]+) (\S+)$/.exec(first) ?? [];
      if (method === undefined || url === undefined) throw new Error(`${name} has no method and address: ${first}`);
      const content = body?.trim() ?? "";
      return {
        name,
        method,
        url,
        headers: Object.fromEntries(headers.map((line) => headerIn(line, name))),
        body: content === "" ? undefined : content,
      };
    });

const withValues = (file: string, values: Readonly<Record<string, string>>): string =>
  file.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === "") throw new Error(`the variable ${name} has no value`);
    return value;
  });

function headerIn(line: string, name: string): readonly [string, string] {
  const [, header, value] = /^([\w-]+): (.+)$/.exec(line) ?? [];
  if (header === undefined || value === undefined) throw new Error(`${name} has a line that is no header: ${line}`);
  return [header, value];
}
