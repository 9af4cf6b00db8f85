import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useNow } from "./clock.ts";
import { copyText } from "./copy-text.ts";
import { useDoing } from "./hooks.ts";
import { longTime, moneyText, shortTime } from "./text.ts";
import { secondsUntil, waitText } from "./waits.ts";
import type { StateWords, Tone } from "./words.ts";

export type { Tone } from "./words.ts";

// The components that all views share. Their styles are in the folder looks, which names no view.

type Children = { readonly children?: ComponentChildren };

/** The heading of a view, with filters and buttons at its right. */
export const Title = ({ children, aside }: Children & { aside?: ComponentChildren }): JSX.Element => (
  <div class="title">
    <h1>{children}</h1>
    {aside !== undefined && <div class="aside">{aside}</div>}
  </div>
);

/** A card with an optional heading. */
export const Panel = ({
  title,
  aside,
  children,
  tone,
}: Children & { title?: ComponentChildren; aside?: ComponentChildren; tone?: Tone }): JSX.Element => (
  <section class={tone === undefined ? "panel" : `panel tone-${tone}`}>
    {(title !== undefined || aside !== undefined) && (
      <header>
        <h2>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
    )}
    {children}
  </section>
);

/** Text for an empty list. It says what the list would show, and how to get it. */
export const Empty = ({ children }: Children): JSX.Element => <p class="empty">{children}</p>;

export const Badge = ({ tone = "plain", children }: Children & { tone?: Tone }): JSX.Element => (
  <span class={`badge tone-${tone}`}>{children}</span>
);

/** A payment's state in words. The title explains it. */
export const Status = ({
  of: { label, tone, means },
  reason,
}: {
  of: StateWords;
  reason?: string | undefined;
}): JSX.Element => (
  <span class={`badge is-status tone-${tone}`} title={[means, reason].filter(Boolean).join(" ")}>
    {label}
  </span>
);

/** An identifier, cut to its first characters. Its title shows the whole identifier, and a press copies it. */
export function Id({ of, length = 8 }: { of: string; length?: number }): JSX.Element {
  const [isCopied, sayCopied] = useMoment();
  const copy = () => copyText(of).then(sayCopied);
  return (
    <button type="button" class="id" title={`Copy ${of}`} onClick={() => void copy()}>
      {isCopied ? "copied" : of.slice(0, length)}
    </button>
  );
}

/** A name with its identifier. Without a name, only a link has a text. */
export const Named = ({ name, id, href }: { name?: string | undefined; id: string; href?: string }): JSX.Element => (
  <span>
    {href === undefined ? name : <a href={href}>{name || "unnamed"}</a>} <Id of={id} />
  </span>
);

/** An amount in minor units. */
export const Money = ({ of, currency }: { of: number; currency: string }): JSX.Element => (
  <span class="money">{moneyText(of, currency)}</span>
);

/** The local time, to the second, with its day if that is not today. The title shows the zone, and the time in UTC as in the log. */
export function Time({ at }: { at: number }): JSX.Element {
  const now = useNow(60_000);
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={`${longTime(at)}, ${iso}`}>
      {shortTime(at, now)}
    </time>
  );
}

/** A sentence whose instants are shown as local times. */
export const Timed = ({ children }: { children: string }): JSX.Element => (
  <>
    {children
      .split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/)
      .map((part, i) => (i % 2 === 1 ? <Time key={i} at={Date.parse(part)} /> : part))}
  </>
);

/** The remaining time, counted down. */
export function Countdown({ to }: { to: number }): JSX.Element {
  const left = secondsUntil(to, useNow(250));
  return <span class="number">{waitText(left)}</span>;
}

/** A choice between a few options, side by side: a group of radio buttons. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChoose,
  isLabelHidden = false,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  onChoose: (value: Value) => void;
  isLabelHidden?: boolean;
}): JSX.Element {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class={isLabelHidden ? "unseen" : undefined}>{label}</legend>
      <div class="choices">
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChoose(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A button that acts. It ignores presses while it acts, and shows the sentence of a rejection below it. */
export function Act({
  children,
  onAct,
  kind = "plain",
  disabled = false,
  label,
  done,
}: Children & {
  onAct: () => Promise<unknown>;
  kind?: "plain" | "main" | "danger";
  disabled?: boolean;
  /** Its accessible name, if its text does not say enough. */
  label?: string;
  /** Its text for a moment afterwards, such as "Copied". */
  done?: string;
}): JSX.Element {
  const { isBusy, refusal, run } = useDoing();
  const [isDone, sayDone] = useMoment();
  return (
    <span class="act">
      <button
        type="button"
        class={`button is-${kind}`}
        aria-label={label}
        aria-busy={isBusy}
        disabled={disabled || isBusy}
        onClick={() => run(() => onAct().then(sayDone))}
      >
        {isDone && done !== undefined ? done : children}
      </button>
      <Refused sentence={refusal} />
    </span>
  );
}

/** The sentence of a rejection, if there is one. */
export const Refused = ({ sentence }: { sentence: string }): JSX.Element | null =>
  sentence === "" ? null : (
    <span class="refusal" role="alert">
      {sentence}
    </span>
  );

const MOMENT_MS = 1_200;

/** Whether an event has just happened, and a function that reports the event. */
function useMoment(): [isNow: boolean, happen: () => void] {
  const [isNow, setNow] = useState(false);
  const over = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(over.current), []);
  const happen = () => {
    setNow(true);
    clearTimeout(over.current);
    over.current = setTimeout(() => setNow(false), MOMENT_MS);
  };
  return [isNow, happen];
}

/** Text in a code font, unchanged, with a button that copies it. */
export function Code({ children, label }: { children: string; label: string }): JSX.Element {
  return (
    <div class="code">
      <pre role="group" tabIndex={0} aria-label={label}>
        {children}
      </pre>
      <Act label={`Copy ${label}`} done="Copied" onAct={() => copyText(children)}>
        Copy
      </Act>
    </div>
  );
}

/** JSON with indentation. Text that is not JSON is returned unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
