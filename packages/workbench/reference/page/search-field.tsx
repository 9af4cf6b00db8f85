import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface SearchFieldProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  /** Goes to the first result. */
  readonly onEnter: () => void;
}

/** The search above the contents. `/` and Ctrl-K move the focus to it, and Escape empties it. */
export function SearchField({ text, onType, onEnter }: SearchFieldProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
  return (
    <form
      class="contents-search"
      role="search"
      aria-label="Reference"
      onSubmit={(event) => {
        event.preventDefault();
        onEnter();
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label="Search operations, members and guide"
        aria-keyshortcuts="/ Control+K"
        placeholder="Search ( / )"
        value={text}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === "Escape") onType("");
        }}
      />
    </form>
  );
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === "k") return (ctrlKey || metaKey) && !altKey;
  const isTyping = target instanceof Element && target.closest("input, textarea, select") !== null;
  return key === "/" && !ctrlKey && !metaKey && !isTyping;
}
