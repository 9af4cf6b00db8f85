import type { JSX } from "preact";
import { Badge, type Tone } from "../../parts.tsx";

/** A response's status. What the platform refused is no failure of it. */
export const HttpStatus = ({ of }: { of: number }): JSX.Element => <Badge tone={toneOfStatus(of)}>{of}</Badge>;

function toneOfStatus(status: number): Tone {
  if (status >= 500 || status === 0) return "bad";
  return status >= 400 ? "warn" : "good";
}
