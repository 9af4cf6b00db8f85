/** Identifiers look like UUIDs, of any version. No other form is an identifier. (API behaviour 1) */
export const isIdentifier = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
