import type { NewId } from "../../ports/clock.ts";

/** The caller's W3C trace context if it is well formed, otherwise a new one. (API behaviour 8) */
export function traceparentOf(sent: string | null, newId: NewId): string {
  if (sent !== null && /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(sent)) return sent;
  const hex = () => newId().replaceAll("-", "");
  return `00-${hex()}-${hex().slice(16)}-01`;
}
