import type { PolicyElement } from "../policy-xml.ts";
import { attributesOf, integerOf, refuseContent } from "./shape.ts";

/** How the backend is called. */
export interface ForwardRequest {
  /** The limit until the backend's headers arrive. */
  readonly timeoutMs: number;
}

/** The only policy of `<backend>`. It is not a step like the others, because the gateway waits for its result. */
export function compileForwardRequest(element: PolicyElement): ForwardRequest {
  const { timeout } = attributesOf(element, ["timeout"]);
  refuseContent(element);
  return { timeoutMs: integerOf(timeout, element, 1, 240) * 1000 };
}
