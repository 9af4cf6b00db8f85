import type { JSX } from "preact";
import { Badge, type Tone } from "../../parts.tsx";

/** A response's status. A rejection by the platform is not shown as a failure. */
export const HttpStatus = ({ of }: { of: number }): JSX.Element => <Badge tone={toneOfStatus(of)}>{of}</Badge>;

function toneOfStatus(status: number): Tone {
  if (status >= 500 || status === 0) return "bad";
  return status >= 400 ? "warn" : "good";
}
