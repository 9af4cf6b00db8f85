/** A terminal and its merchant, with their names if they have any. */
export interface PlaceView {
  readonly terminalId: string;
  readonly terminalName?: string;
  readonly merchantId: string;
  readonly merchantName?: string;
}

/** A terminal as it is registered. */
export interface RegisteredView extends PlaceView {
  /** Its device and its abilities as it describes them, each fact in words. */
  readonly facts: readonly string[];
}
