/** A request that passed the gateway. Polls that return no message are left out. */
export interface CallView {
  readonly id: string;
  readonly at: number;
  readonly api: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** The `code` of the problem, if the request was rejected. */
  readonly problem?: string;
  readonly requestId?: string;
  readonly sessionId?: string;
}

/** `GET /calls/<id>`. */
export interface CallDetail extends CallView {
  readonly requestHeaders: readonly (readonly [string, string])[];
  readonly requestBody: string;
  readonly responseHeaders: readonly (readonly [string, string])[];
  readonly responseBody: string;
  readonly curl: string;
}
