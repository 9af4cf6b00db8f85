/** A terminal and its merchant, with their names if they have any. */
export interface PlaceView {
  readonly terminalId: string;
  readonly terminalName?: string;
  readonly merchantId: string;
  readonly merchantName?: string;
}

/** A terminal as it is registered. */
export interface RegisteredView extends PlaceView {
  /** What it says of its device and its abilities, each fact in words. */
  readonly facts: readonly string[];
}
