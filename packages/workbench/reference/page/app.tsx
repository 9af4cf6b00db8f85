import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Boundary } from "../../live/page/boundary.tsx";
import { Mark } from "../../live/page/mark.tsx";
import { PagesNav } from "../../live/page/pages-nav.tsx";
import { Empty, Panel } from "../../live/page/parts.tsx";
import { useHash } from "../../live/page/use-route.ts";
import type { DemoView } from "../views/demo.ts";
import { Guide } from "./guide.tsx";
import type { EntryModel } from "./model.ts";
import { Entry } from "./entry.tsx";
import { Navigation } from "./navigation.tsx";
import { linkTo, routeOf, type Route } from "./routes.ts";
import { useReference, type Known, type Reference } from "./use-reference.ts";

export function App(): JSX.Element {
  const route = useHash(routeOf);
  const known = useReference(route.chosen);
  const { reference } = known;
  const main = useRef<HTMLElement>(null);
  const entry = reference && entryAt(route, reference);
  useArrival(route, { main: main.current, title: entry?.summary, isReady: reference !== undefined });
  return (
    <>
      <Head demo={reference?.demo} onSkip={() => main.current?.focus()} />
      <div class="book">
        {reference && <Navigation reference={reference} route={route} />}
        <main ref={main} tabIndex={-1}>
          <Boundary key={entry?.id ?? "guide"}>
            <Content known={known} entry={entry} />
          </Boundary>
        </main>
      </div>
    </>
  );
}

interface HeadProps {
  readonly demo: DemoView | undefined;
  readonly onSkip: () => void;
}

const Head = ({ demo, onSkip }: HeadProps): JSX.Element => (
  <header class="head">
    <a
      class="skip"
      href={location.hash}
      onClick={(event) => {
        event.preventDefault(); // the address behind `#` is the page's place
        onSkip();
      }}
    >
      Skip to the content
    </a>
    <div class="top">
      <a class="brand" href={linkTo("guide")}>
        <Mark />
        Terminal payments
      </a>
    </div>
    <PagesNav
      at={{
        liveUrl: demo?.liveUrl,
        referenceUrl: new URL(".", location.href).href,
        landingPageUrl: demo?.landingPageUrl,
      }}
      current="API reference"
    />
  </header>
);

interface ContentProps {
  readonly known: Known;
  readonly entry: EntryModel | undefined;
}

function Content({ known: { reference, operations, trouble, refill }, entry }: ContentProps): JSX.Element {
  if (!reference)
    return (
      <Panel>
        <div aria-busy={trouble === undefined}>
          <Empty>{trouble ?? "Reading the documents of the three APIs…"}</Empty>
        </div>
      </Panel>
    );
  if (!entry) return <Guide reference={reference} />;
  return (
    <Entry
      key={entry.id}
      entry={entry}
      demo={reference.demo}
      operation={operations?.find(({ id }) => id === entry.id)}
      guide={reference.apis[0]?.description ?? ""}
      onRefill={refill}
    />
  );
}

const entryAt = ({ place, chosen }: Route, { apis }: Reference): EntryModel | undefined =>
  place === "operations"
    ? apis.flatMap(({ groups }) => groups.flatMap(({ entries }) => entries)).find(({ id }) => id === chosen)
    : undefined;

interface Arrival {
  readonly main: HTMLElement | null;
  readonly title: string | undefined;
  readonly isReady: boolean;
}

/** Newly chosen content starts at its top or at the sought part of it, and a screen reader continues there. */
function useArrival(route: Route, { main, title, isReady }: Arrival): void {
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title ?? "Reference"} · Terminal payments`;
    if (!isReady) return;
    const part = partOf(route);
    if (part) show(part);
    else if (!isFirst.current) main?.scrollIntoView();
    if (!isFirst.current && route.member === "") main?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [route.place, route.chosen, route.member, isReady]);
}

/** The section of the guide, or the member of an operation. */
function partOf({ place, chosen, member }: Route): HTMLElement | null {
  if (place === "guide") return document.getElementById(chosen);
  return member === "" ? null : document.querySelector(`[data-member="${CSS.escape(member)}"]`);
}

/** Shows a part of the content, also if it is folded. A member also gets the focus. */
function show(part: HTMLElement): void {
  for (let fold = part.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
  part.scrollIntoView();
  if (part.dataset["member"] === undefined) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}
