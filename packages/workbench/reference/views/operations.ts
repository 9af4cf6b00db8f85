/** `GET /operations`: the operations of the OpenAPI documents, each with a filled example. */
export interface OperationView {
  readonly id: string;
  readonly api: "partners" | "consumer" | "terminals";
  readonly method: string;
  readonly path: string;
  readonly fields: readonly FieldView[];
  /** The possible members of a body, those of the example first. Empty if the operation takes no body. */
  readonly members: readonly MemberView[];
  /** The example's body, as JSON text. Undefined if the operation takes no body. */
  readonly body: string | undefined;
  /** Why it cannot be carried out now, and what to do first. Undefined if it can. */
  readonly wanting?: string | undefined;
}

/** A member of a body, by its path: `merchantReferences.orderId`. */
export interface MemberView {
  readonly path: string;
  /** `json` for a list or an object of many members. */
  readonly kind: "text" | "number" | "boolean" | "json";
  readonly description: string;
  readonly isRequired: boolean;
  /** The possible values, if there are few. */
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export interface FieldView {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly value: string;
  readonly description: string;
  readonly isRequired: boolean;
}
