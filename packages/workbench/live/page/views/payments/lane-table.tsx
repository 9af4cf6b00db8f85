import type { JSX } from "preact";
import type { LaneItem } from "../../../views/lanes.ts";
import { lengthText } from "../../text.ts";
import { laneWords } from "./lane-picture.tsx";

/** The picture's items as a table, in time order. */
export function LaneTable({ items }: { items: readonly LaneItem[] }): JSX.Element {
  const ordered = items.toSorted((a, b) => a.from - b.from);
  const start = ordered[0]?.from ?? 0;
  const titles = new Map(items.map(({ id, title }) => [id, title]));
  return (
    <table class="lane-table">
      <caption class="unseen">Everything that happened, in order of time</caption>
      <thead>
        <tr>
          <th scope="col" class="end">
            At
          </th>
          <th scope="col" class="end">
            Took
          </th>
          <th scope="col">Where</th>
          <th scope="col">What</th>
          <th scope="col" class="lane-cause">
            Because of
          </th>
        </tr>
      </thead>
      <tbody>
        {ordered.map((item) => (
          <tr key={item.id}>
            <td class="end number">{lengthText(item.from - start)}</td>
            <td class="end number quiet">{tookText(item)}</td>
            <td class="quiet">{laneWords[item.lane]}</td>
            <td class="lane-what">
              {item.title}
              {item.detail !== undefined && (
                <span class={item.hasFailed ? "is-bad" : "quiet"}>{` · ${item.detail}`}</span>
              )}
              {item.hasFailed && item.detail === undefined && <span class="is-bad"> · failed</span>}
            </td>
            <td class="quiet lane-cause">{titles.get(item.cause ?? "") ?? ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function tookText({ from, to }: LaneItem): string {
  if (to === undefined) return "still running";
  return to === from ? "" : lengthText(to - from);
}
