import type { JSX } from "preact";
import type { FaultView } from "../../views/faults.ts";
import { act } from "../ask.ts";
import { useNow } from "../clock.ts";
import { CustomFault } from "./faults/custom.tsx";
import { doneMeanwhile, kindText, presets, serviceOf, type Preset } from "./faults/kinds.ts";
import { UnderWay } from "./faults/under-way.tsx";
import { Act, Countdown, Panel, Title } from "../parts.tsx";
import { useLive } from "../store.ts";

/** Faults of the services below the platform, each set by a button, and their effect on running payments. */
export function Faults(_: { chosen: string | undefined }): JSX.Element {
  const stack = useLive(({ stack }) => stack);
  const faults = useFaults();
  return (
    <>
      <Title>Faults</Title>
      <div class="faults">
        <div class="stack">
          <Panel title="Ready faults">
            <ul class="body presets">
              {presets.map((preset) => (
                <PresetCard key={preset.title} preset={preset} />
              ))}
            </ul>
          </Panel>
          {stack && <CustomFault stack={stack} />}
        </div>
        <div class="stack">
          <InForce faults={faults} />
          <UnderWay />
        </div>
      </div>
    </>
  );
}

/** The faults that have not expired. */
function useFaults(): readonly FaultView[] {
  const faults = useLive(({ faults }) => faults) ?? [];
  const now = useNow(250, faults.length > 0);
  return faults.filter(({ until }) => until > now);
}

const PresetCard = ({ preset: { title, text, input } }: { preset: Preset }): JSX.Element => (
  <li>
    <ServiceSign of={input.service} />
    <div>
      <h3>{title}</h3>
      <p class="quiet is-small">{text}</p>
    </div>
    <Act label={`Start: ${title}`} onAct={() => act("faults", input)}>
      Start
    </Act>
  </li>
);

function InForce({ faults }: { faults: readonly FaultView[] }): JSX.Element {
  const clear = <Act onAct={() => act("faults", {}, "DELETE")}>End all</Act>;
  return (
    <section class={faults.length > 0 ? "panel in-force is-on" : "panel in-force"} aria-label="Faults in force">
      <header>
        <h2>{faults.length === 0 ? "No fault is set" : "In force"}</h2>
        {faults.length > 1 && <div class="aside">{clear}</div>}
      </header>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault.id}>
              <ServiceSign of={serviceOf(fault)} />
              <p>
                <strong>{fault.target}</strong> <span class="quiet">{kindText(fault)}</span>
              </p>
              <span class="in-force-left">
                <Countdown to={fault.until} />
              </span>
              <Act
                label={`End the fault on ${fault.target}`}
                onAct={() => act(`faults/${encodeURIComponent(fault.id)}`, {}, "DELETE")}
              >
                End
              </Act>
            </li>
          ))}
        </ul>
      )}
      <div class="body" aria-live="polite">
        {doneMeanwhile(faults).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </section>
  );
}

const shapes = {
  tables:
    "M3 5c0-1.1 3.1-2 7-2s7 .9 7 2v10c0 1.1-3.1 2-7 2s-7-.9-7-2zM3 5c0 1.1 3.1 2 7 2s7-.9 7-2M3 10c0 1.1 3.1 2 7 2s7-.9 7-2",
  queues: "M3 5h14v10H3zM3 5.5l7 5.5 7-5.5",
} as const;

/** A drum for the tables, a letter for the bus. */
const ServiceSign = ({ of }: { of: keyof typeof shapes }): JSX.Element => (
  <svg class="service-sign" viewBox="0 0 20 20" aria-hidden="true">
    <path d={shapes[of]} />
  </svg>
);
