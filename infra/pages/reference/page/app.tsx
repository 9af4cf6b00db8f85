import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Boundary } from "../../live/page/boundary.tsx";
import { Mark } from "../../live/page/mark.tsx";
import { Empty, Panel } from "../../live/page/parts.tsx";
import { useHash } from "../../live/page/use-route.ts";
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
      <Head liveUrl={reference?.demo.liveUrl} onSkip={() => main.current?.focus()} />
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
  readonly liveUrl: string | undefined;
  readonly onSkip: () => void;
}

const Head = ({ liveUrl, onSkip }: HeadProps): JSX.Element => (
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
    <a class="brand" href={linkTo("guide")}>
      <Mark />
      Terminal payments
    </a>
    <p class="quiet is-small">API reference</p>
    {liveUrl !== undefined && (
      <a class="reference" href={liveUrl} target="_blank" rel="noreferrer">
        Live page
      </a>
    )}
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

/** Newly chosen content starts at its top, and a screen reader continues there. */
function useArrival(route: Route, { main, title, isReady }: Arrival): void {
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title ?? "Reference"} · Terminal payments`;
    if (!isReady) return;
    const section = route.place === "guide" && route.chosen !== "" ? document.getElementById(route.chosen) : null;
    if (section) section.scrollIntoView();
    else if (!isFirst.current) scrollTo(0, 0);
    if (!isFirst.current) main?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [route.place, route.chosen, isReady]);
}
