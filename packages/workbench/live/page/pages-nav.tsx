import type { JSX } from "preact";
import { pagesOf, type PageAddresses, type PageName } from "./pages.ts";

/** Links to the other pages of the local cloud, at the right of a head. */
export const PagesNav = ({ at, current }: { at: PageAddresses; current: PageName }): JSX.Element => (
  <nav class="pages" aria-label="Pages">
    {pagesOf(at, current).map(({ name, href, isCurrent, isElsewhere }) => (
      <a
        key={name}
        href={href}
        aria-current={isCurrent ? "page" : undefined}
        {...(isElsewhere && { target: "_blank", rel: "noreferrer" })}
      >
        {name}
      </a>
    ))}
  </nav>
);
