import type { JSX } from "preact";

/** A sentence with commands and names between backticks. */
export const Prose = ({ children }: { children: string }): JSX.Element => (
  <>{children.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
);
