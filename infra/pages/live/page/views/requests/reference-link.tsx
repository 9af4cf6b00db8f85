import type { ComponentChildren, JSX } from "preact";
import { useLive } from "../../store.ts";

interface ReferenceLinkProps {
  /** The operation that is shown first. */
  readonly operation?: string;
  readonly children: ComponentChildren;
}

/** Leads to the reference, on which each operation can be tried; nothing where no reference is served. */
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
