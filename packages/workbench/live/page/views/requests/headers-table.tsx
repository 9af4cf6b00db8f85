import type { JSX } from "preact";

type Headers = readonly (readonly [name: string, value: string])[];

/** Headers as sent. */
export const HeadersTable = ({ headers, label }: { headers: Headers; label: string }): JSX.Element => (
  <div class="scroll">
    <table class="headers">
      <caption class="unseen">{label}</caption>
      <tbody>
        {headers.map(([name, value], i) => (
          <tr key={i}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
