import { markup, type Markup } from "./markup.ts";

type Cell = string | number | Markup;

/** A table whose first column names its rows. It scrolls by itself where the page is narrower. */
export const table = (caption: string, head: readonly string[], rows: readonly (readonly Cell[])[]): Markup =>
  markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head.map((name) => (name === "" ? markup`<td></td>` : markup`<th scope="col">${name}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name = "", ...cells]) =>
            markup`<tr>
              <th scope="row">${name}</th>
              ${cells.map((cell) => markup`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
