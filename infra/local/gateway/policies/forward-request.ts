import type { PolicyElement } from "../policy-xml.ts";
import { attributesOf, integerOf, refuseContent } from "./shape.ts";

/** How the backend is asked. */
export interface ForwardRequest {
  /** Until the backend's headers are there. */
  readonly timeoutMs: number;
}

/** The one policy of `<backend>`; it is no step among others, since the gateway waits for what it does. */
export function compileForwardRequest(element: PolicyElement): ForwardRequest {
  const { timeout } = attributesOf(element, ["timeout"]);
  refuseContent(element);
  return { timeoutMs: integerOf(timeout, element, 1, 240) * 1000 };
}
