/** `GET /rehearsal`: when the page of the last rehearsal was written, which is at `/rehearsal/page`; without a time where there is none. */
export interface RehearsalView {
  readonly at?: number;
}
