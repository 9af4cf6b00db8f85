import { useEffect, useState } from "preact/hooks";
import type { OperationView } from "../views/operations.ts";
import { read } from "../../live/page/ask.ts";
import type { DemoView } from "../views/demo.ts";
import { apiModel, apiNames, type ApiModel } from "./model.ts";
import type { OpenApi } from "./openapi.ts";

export interface Reference {
  readonly apis: readonly ApiModel[];
  readonly demo: DemoView;
}

export interface Known {
  readonly reference: Reference | undefined;
  /** The operations, filled so that they can be sent unchanged. Undefined until they are read. */
  readonly operations: readonly OperationView[] | undefined;
  /** Why there is nothing to show. */
  readonly trouble: string | undefined;
  /** Fills the operations again. */
  readonly refill: () => Promise<void>;
}

/**
 * The content of the page. The operations are filled again whenever another one is chosen, so that they can use objects that were just
 * created.
 */
export function useReference(chosen: string): Known {
  const [reference, setReference] = useState<Reference>();
  const [operations, setOperations] = useState<readonly OperationView[]>();
  const [trouble, setTrouble] = useState<string>();
  const refill = async () => setOperations(await read<readonly OperationView[]>("operations"));
  const say = (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error));
  useEffect(() => void readAll().then(setReference, say), []);
  useEffect(() => void refill().catch(say), [chosen]);
  return { reference, operations, trouble, refill };
}

async function readAll(): Promise<Reference> {
  const [demo, ...documents] = await Promise.all([
    read<DemoView>("demo.json"),
    ...apiNames.map((api) => read<OpenApi>(`openapi/${api}.json`)),
  ]);
  return { demo, apis: documents.map((document, i) => apiModel(apiNames[i] ?? "partners", document)) };
}
