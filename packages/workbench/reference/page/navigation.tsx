import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { counted } from "../../live/page/text.ts";
import { sectionsOf } from "./markdown.ts";
import { linkTo, type Route } from "./routes.ts";
import { SearchField } from "./search-field.tsx";
import { searched, soughtIn, type Chapter } from "./search.ts";
import type { Reference } from "./use-reference.ts";

interface NavigationProps {
  readonly reference: Reference;
  readonly route: Route;
}

/**
 * The search, and the guide's sections and the operations by group. The results of a search replace them. It is next to the content, or
 * above it on a narrow screen, with a menu instead of the list.
 */
export function Navigation({ reference, route }: NavigationProps): JSX.Element {
  const [text, setText] = useState("");
  const all = useMemo(() => soughtIn(reference.apis), [reference]);
  const found = useMemo(() => (text.trim() === "" ? undefined : searched(all, text)), [all, text]);
  const chapters = useMemo(() => chaptersOf(reference), [reference]);
  const current = linkTo(route.place, route.chosen, route.member);
  return (
    <nav class="contents" aria-label="Contents">
      <SearchField
        text={text}
        onType={setText}
        onEnter={() => {
          const [first] = found?.flatMap(({ links }) => links) ?? [];
          if (first) location.assign(first.href);
        }}
      />
      <p class="contents-found quiet is-small" role="status">
        {found && foundText(found)}
      </p>
      {!found && <Menu chapters={chapters} current={linkTo(route.place, route.chosen)} />}
      <div class={found ? "contents-list is-found" : "contents-list"}>
        <Chapters of={found ?? chapters} current={current} />
      </div>
    </nav>
  );
}

function foundText(found: readonly Chapter[]): string {
  const count = found.flatMap(({ links }) => links).length;
  return count === 0 ? "Nothing matches." : counted(count, "result");
}

interface ChaptersProps {
  readonly chapters: readonly Chapter[];
  readonly current: string;
}

/** The contents on a narrow screen. */
const Menu = ({ chapters, current }: ChaptersProps): JSX.Element => (
  <label class="contents-menu">
    Contents
    <select value={current} onChange={({ currentTarget }) => location.assign(currentTarget.value)}>
      {chapters.map(({ title, links }) => (
        <optgroup key={title} label={title}>
          {links.map(({ href, text }) => (
            <option key={href} value={href}>
              {text}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  </label>
);

const Chapters = ({ of, current }: { of: readonly Chapter[]; current: string }): JSX.Element => (
  <>
    {of.map(({ title, links }) => (
      <section key={title}>
        <h2>{title}</h2>
        <ul>
          {links.map(({ href, text, hint }) => (
            <li key={href}>
              <a href={href} aria-current={href === current ? "page" : undefined}>
                {text}
                {hint !== undefined && <small>{hint}</small>}
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);

const chaptersOf = ({ apis }: Reference): readonly Chapter[] => [
  {
    title: "Guide",
    links: [
      { href: linkTo("guide"), text: "Overview" },
      ...sectionsOf(apis[0]?.description ?? "")
        .filter(({ title }) => title !== "")
        .map(({ title, slug }) => ({ href: linkTo("guide", slug), text: title })),
      { href: linkTo("guide", "test-amounts"), text: "Test amounts" },
    ],
  },
  ...apis.flatMap(({ api, title, groups }) =>
    groups.map(({ name, entries }) => ({
      title: api === "partners" ? name : `${title}: ${name.toLowerCase()}`,
      links: entries.map(({ id, kind, summary, method }) => ({
        href: linkTo("operations", id),
        text: summary,
        ...(kind === "operation" && { hint: method }),
      })),
    })),
  ),
];
