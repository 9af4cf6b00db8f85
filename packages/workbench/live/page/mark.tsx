import type { JSX } from "preact";

/** A card in front of a terminal's waves. */
export const Mark = (): JSX.Element => <img class="mark" src="favicon.svg" alt="" />;
