/**
 * `Retry-After` in seconds from `now` (milliseconds since 1970). The header is a number of seconds or an HTTP date. Undefined if it is
 * neither.
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // Date.parse alone would also accept "1" or "-5" as a date.
  if (!/^[A-Z][a-z]+, .* GMT$/.test(header)) return undefined;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - now) / 1000));
}
