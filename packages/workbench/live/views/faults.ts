export interface FaultView {
  readonly id: string;
  /** "all tables", "table Payments", "queue webhook-retries". */
  readonly target: string;
  readonly kind: string;
  readonly until: number;
  readonly milliseconds?: number;
}

/** The body of `POST /faults`. */
export interface FaultInput {
  readonly service: "tables" | "queues";
  /** A table's or queue's name. Default: all of them. */
  readonly name?: string;
  readonly kind: string;
  readonly seconds: number;
  readonly milliseconds?: number;
}
