import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { CallView } from "../../views/calls.ts";
import { FilterBar } from "../filter-bar.tsx";
import { LongList } from "../long-list.tsx";
import { Empty, Panel, Time, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";
import { counted, lengthText } from "../text.ts";
import { goInstead, useRoute } from "../use-route.ts";
import { ChosenCall } from "./requests/chosen.tsx";
import { callsLike, filterOf, queryOf } from "./requests/filter.ts";
import { ReferenceLink } from "./requests/reference-link.tsx";
import { HttpStatus } from "./requests/status.tsx";

/** The requests that passed the gateway, with their responses. */
export function Requests({ chosen }: { chosen: string | undefined }): JSX.Element {
  const { query } = useRoute();
  const calls = useLive((state) => state.calls) ?? [];
  const filter = useMemo(() => filterOf(query), [query]);
  const shown = useMemo(() => callsLike(calls, filter), [calls, filter]);
  const linkOf = ({ id }: CallView) => linkTo("requests", id, query);
  return (
    <div class={chosen === undefined ? "chooser" : "chooser has-chosen"}>
      <Title aside={<span class="quiet number">{counted(shown.length, "request")}</span>}>Requests</Title>
      <div class="chooser-list stack">
        <FilterBar
          label="Requests"
          filter={filter}
          search={{ label: "Operation, path, problem or session", placeholder: "Operation, problem or session" }}
          choices={[{ of: "api", label: "API", any: "Any API", options: apis }]}
          toggle={{ of: "refused", name: "Refused" }}
          onNarrow={(next) => goInstead(linkTo("requests", chosen, queryOf(next)))}
        />
        <Panel>
          {shown.length === 0 ? (
            <NoCalls hasCalls={calls.length > 0} />
          ) : (
            <LongList label="Requests" noun="request" items={shown} chosen={chosen} link={linkOf} row={rowOf} />
          )}
        </Panel>
      </div>
      <div class="chooser-chosen stack">
        {chosen === undefined ? (
          <Panel>
            <Empty>Choose a request to see what was sent and what came back, and to repeat it as a command.</Empty>
          </Panel>
        ) : (
          <ChosenCall key={chosen} id={chosen} back={linkTo("requests", undefined, query)} />
        )}
      </div>
    </div>
  );
}

const apis = [
  ["partners", "Partners"],
  ["terminals", "Terminals"],
  ["consumer", "Consumer"],
] as const;

const NoCalls = ({ hasCalls }: { hasCalls: boolean }): JSX.Element => (
  <Empty>
    {hasCalls ? (
      "No request matches."
    ) : (
      <>
        Every request of a partner's server, a terminal or a web application passes the gateway and is shown here.{" "}
        <ReferenceLink>Send the first one</ReferenceLink>
      </>
    )}
  </Empty>
);

const rowOf = ({ at, api, operation, method, problem, status, ms }: CallView): JSX.Element => (
  <span class="call-row">
    <Time at={at} />
    <span class="call-what">
      <b>{operation}</b>
      <span class="quiet">
        {method} · {api === "" ? "no API" : api}
        {problem !== undefined && ` · ${problem}`}
      </span>
    </span>
    <span class="call-ms quiet number">{lengthText(ms)}</span>
    <HttpStatus of={status} />
  </span>
);
