import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Boundary } from "./boundary.tsx";
import { Mark } from "./mark.tsx";
import { PagesNav } from "./pages-nav.tsx";
import { Time } from "./parts.tsx";
import { Alerts } from "./views/alerts.tsx";
import { Counter } from "./views/counter.tsx";
import { Faults } from "./views/faults.tsx";
import { Mails } from "./views/mails.tsx";
import { Payments } from "./views/payments.tsx";
import { Requests } from "./views/requests.tsx";
import { Webhooks } from "./views/webhooks.tsx";
import { linkTo, places, type Place } from "./routes.ts";
import { useConnection, useLive } from "./store.ts";
import { zoneText } from "./text.ts";
import { useRoute } from "./use-route.ts";

const views: Readonly<Record<Place, (props: { chosen: string | undefined }) => JSX.Element>> = {
  counter: Counter,
  payments: Payments,
  webhooks: Webhooks,
  mails: Mails,
  requests: Requests,
  alerts: Alerts,
  faults: Faults,
};

export function App(): JSX.Element {
  const { place, chosen } = useRoute();
  const main = useRef<HTMLElement>(null);
  const View = views[place];
  useEffect(() => {
    document.title = `${places[place]} · Terminal payments`;
  }, [place]);
  useArrival(place, main.current);
  return (
    <>
      <Head place={place}>
        <a
          class="skip"
          href={linkTo(place, chosen)}
          onClick={(event) => {
            event.preventDefault(); // the address behind `#` belongs to the view
            main.current?.focus();
          }}
        >
          Skip to the content
        </a>
      </Head>
      <Lost />
      <main ref={main} tabIndex={-1} class={`view-${place}`}>
        <Boundary key={place}>
          <View chosen={chosen} />
        </Boundary>
      </main>
      <footer>
        <p class="quiet is-small">Times are local: {zoneText(Date.now())}.</p>
      </footer>
    </>
  );
}

/** A newly chosen view starts at its top, and a screen reader continues there. */
function useArrival(place: Place, main: HTMLElement | null): void {
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    scrollTo(0, 0);
    main?.focus({ preventScroll: true });
  }, [place]);
}

function Head({ place, children }: { place: Place; children: ComponentChildren }): JSX.Element {
  const counts = useLive(({ alerts, faults, mails }) => ({
    alerts: alerts.length,
    faults: faults.length,
    mails: mails.length,
  }));
  return (
    <header class="head">
      {children}
      <div class="top">
        <p class="brand">
          <Mark />
          Terminal payments
        </p>
        <Pulse />
      </div>
      <nav class="views" aria-label="Views">
        {(Object.keys(places) as Place[]).map((name) => (
          <a key={name} href={linkTo(name)} aria-current={name === place ? "page" : undefined}>
            {places[name]}
            <Count of={name} counts={counts} />
          </a>
        ))}
      </nav>
      <Pages />
    </header>
  );
}

function Pulse(): JSX.Element {
  const { isLive } = useConnection();
  return (
    <p class="state" role="status">
      <span class={isLive ? "pulse" : "pulse is-away"} aria-hidden="true" />
      {isLive ? "live" : "waiting…"}
    </p>
  );
}

/** The other pages. The head already names the views of this one. */
function Pages(): JSX.Element | null {
  const at = useLive(({ stack: { referenceUrl, landingPageUrl } }) => ({ referenceUrl, landingPageUrl }));
  return at ? <PagesNav at={{ ...at, liveUrl: undefined }} current="Live page" /> : null;
}

/** Mails, and alerts about which nothing is left to do, are not loud. */
function Count({ of, counts }: { of: string; counts: Readonly<Record<string, number>> | undefined }) {
  const unsettled = useLive(({ alerts }) => alerts.filter(({ isOver }) => !isOver).length) ?? 0;
  const count = counts?.[of] ?? 0;
  if (count === 0) return null;
  const isLoud = of === "faults" || (of === "alerts" && unsettled > 0);
  return <span class={isLoud ? "count is-loud" : "count"}>{count > 99 ? "99+" : count}</span>;
}

/** Says since when the page has received no updates. */
function Lost(): JSX.Element | null {
  const { lostAt } = useConnection();
  if (lostAt === undefined) return null;
  return (
    <p class="lost" role="alert">
      <strong>The stack does not respond.</strong> The page shows the state at <Time at={lostAt} />. It connects again
      by itself. If it does not, check whether the stack still runs.
    </p>
  );
}
