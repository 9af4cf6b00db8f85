import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OperationView } from "../../views/operations.ts";
import { read } from "../ask.ts";
import { Empty, Panel, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { Operation } from "./try/operation.tsx";

const apis = [
  ["partners", "Partners API"],
  ["consumer", "Consumer API"],
  ["terminals", "Terminals API"],
] as const;

/** Every operation of the three APIs, filled so that it can be sent as it stands. */
export function Try({ chosen }: { chosen: string | undefined }): JSX.Element {
  const { operations, trouble, refill } = useOperations(chosen);
  const operation = operations?.find(({ id }) => id === chosen) ?? operations?.[0];
  return (
    <>
      <Title>Try</Title>
      {operations && operation ? (
        <div class="try">
          <Operations operations={operations} shown={operation} />
          <Operation key={operation.id} operation={operation} onRefill={refill} />
        </div>
      ) : (
        <Panel>
          <div aria-busy={trouble === undefined}>
            <Empty>{trouble ?? "Reading the operations of the three APIs…"}</Empty>
          </div>
        </Panel>
      )}
    </>
  );
}

/** Read again whenever another one is chosen: what was just made is then there to be named. */
function useOperations(chosen: string | undefined) {
  const [operations, setOperations] = useState<readonly OperationView[]>();
  const [trouble, setTrouble] = useState<string>();
  const refill = async () => setOperations(await read<readonly OperationView[]>("operations"));
  useEffect(() => {
    refill().catch((error: unknown) => setTrouble(error instanceof Error ? error.message : String(error)));
  }, [chosen]);
  return { operations, trouble, refill };
}

interface OperationsProps {
  readonly operations: readonly OperationView[];
  readonly shown: OperationView;
}

/** The choice among all operations: beside the form a list, and on a narrow screen a menu. */
const Operations = ({ operations, shown }: OperationsProps): JSX.Element => (
  <div class="try-list">
    <label class="try-menu">
      Operation
      <select value={shown.id} onChange={({ currentTarget }) => location.assign(linkTo("try", currentTarget.value))}>
        {apis.map(([api, name]) => (
          <optgroup key={api} label={name}>
            {of(api, operations).map(({ id, summary }) => (
              <option key={id} value={id}>
                {summary}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
    <nav class="panel try-links" aria-label="Operations">
      {apis.map(([api, name]) => (
        <section key={api}>
          <h2>{name}</h2>
          <ul>
            {of(api, operations).map(({ id, summary, method }) => (
              <li key={id}>
                <a href={linkTo("try", id)} aria-current={id === shown.id ? "true" : undefined}>
                  {summary}
                  <small>{method}</small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  </div>
);

const of = (api: OperationView["api"], operations: readonly OperationView[]) =>
  operations.filter((operation) => operation.api === api);
