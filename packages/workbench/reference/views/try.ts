/** The body of `POST /try`. `preview` sends nothing and returns only `curl`. */
export interface TryInput {
  readonly operation: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly preview?: boolean;
}

export interface TryResult {
  readonly status: number | undefined;
  readonly ms: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly curl: string;
  /** The payment of the request, by its identifier in the list. */
  readonly paymentId?: string;
}
