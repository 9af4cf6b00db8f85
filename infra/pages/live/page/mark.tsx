import type { JSX } from "preact";

/** A card in front of a terminal's waves. */
export const Mark = (): JSX.Element => (
  <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <rect x="2" y="5" width="13" height="14" rx="3" />
    <path d="M18 8.5a5 5 0 0 1 0 7M20.6 6a8.6 8.6 0 0 1 0 12" />
  </svg>
);
