import type { JSX } from "preact";
import { sectionsOf } from "./markdown.ts";
import { linkTo, type Route } from "./routes.ts";
import type { Reference } from "./use-reference.ts";

interface NavigationProps {
  readonly reference: Reference;
  readonly route: Route;
}

interface Chapter {
  readonly title: string;
  readonly links: readonly { readonly href: string; readonly text: string; readonly hint?: string }[];
}

/** The guide's sections and the operations by group. It is a list next to the content, or a menu on a narrow screen. */
export function Navigation({ reference, route }: NavigationProps): JSX.Element {
  const chapters = chaptersOf(reference);
  const current = linkTo(route.place, route.chosen);
  return (
    <nav class="contents" aria-label="Contents">
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
      <div class="contents-list">
        {chapters.map(({ title, links }) => (
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
      </div>
    </nav>
  );
}

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
