/** `Retry-After` in seconds from `now` (milliseconds since 1970), written as seconds or as an HTTP date; undefined when it is neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // Date.parse alone would also take "1" or "-5" for a date.
  if (!/^[A-Z][a-z]+, .* GMT$/.test(header)) return undefined;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - now) / 1000));
}
