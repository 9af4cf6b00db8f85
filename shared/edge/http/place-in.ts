/** A place in a text for people: `line 3, column 5`. Both begin at 1, and a column is a UTF-16 unit. */
export function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|[\r\n]/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
