import { useEffect, useRef, useState } from "preact/hooks";

/** Whether the screen matches the media query. */
export function useMedia(query: string): boolean {
  const [is, setIs] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const listener = () => setIs(list.matches);
    listener();
    list.addEventListener("change", listener);
    return () => list.removeEventListener("change", listener);
  }, [query]);
  return is;
}

/** An element and its size in pixels, for content that depends on the width. */
export function useSize<Box extends HTMLElement>() {
  const box = useRef<Box>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return { box, ...size };
}

/** The state of an action after a press. */
export interface Doing {
  readonly isBusy: boolean;
  /** The reason for its rejection, as a sentence. Empty if it was not rejected. */
  readonly refusal: string;
  readonly run: (what: () => Promise<unknown>) => void;
}

/** Runs an action at a press, and keeps the sentence of its rejection until the next press. */
export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const run = (what: () => Promise<unknown>) => {
    setBusy(true);
    setRefusal("");
    what()
      .catch((error: unknown) => setRefusal(error instanceof Error ? error.message : String(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, refusal, run };
}
