// The pages of the local cloud, which link to each other in their heads. Browsers and the server use this list.

/** The addresses of the pages. Undefined for a page that is not served. */
export interface PageAddresses {
  readonly liveUrl: string | undefined;
  readonly referenceUrl: string | undefined;
  readonly landingPageUrl: string | undefined;
}

export type PageName = "Live page" | "API reference" | "Problems" | "Landing page";

interface PageLink {
  readonly name: PageName;
  readonly href: string;
  readonly isCurrent: boolean;
  /** Another server serves it, so it opens in its own tab. */
  readonly isElsewhere: boolean;
}

/** The links to the served pages, for the head of one of them. */
export function pagesOf(
  { liveUrl, referenceUrl, landingPageUrl }: PageAddresses,
  current: PageName,
): readonly PageLink[] {
  const addresses: readonly (readonly [PageName, string | undefined])[] = [
    ["Live page", liveUrl],
    ["API reference", referenceUrl],
    ["Problems", referenceUrl && new URL("problems", referenceUrl).href],
    ["Landing page", landingPageUrl],
  ];
  const served = addresses.flatMap(([name, href]) => (href === undefined ? [] : [{ name, href: new URL(href) }]));
  const here = served.find(({ name }) => name === current)?.href.origin;
  return served.map(({ name, href }) => ({
    name,
    href: href.href,
    isCurrent: name === current,
    isElsewhere: href.origin !== here,
  }));
}
