import type { ComponentChildren, JSX } from "preact";
import { useLive } from "../../store.ts";

interface ReferenceLinkProps {
  /** The operation to show first. */
  readonly operation?: string;
  readonly children: ComponentChildren;
}

/** Links to the reference, which can try each operation. Renders nothing if the reference is not served. */
export function ReferenceLink({ operation, children }: ReferenceLinkProps): JSX.Element | null {
  const reference = useLive(({ stack }) => stack.referenceUrl);
  if (reference === undefined) return null;
  const place = operation === undefined ? "" : `#/operations/${encodeURIComponent(operation)}`;
  return (
    <a href={new URL(place, reference).href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
