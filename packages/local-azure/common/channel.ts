/** The channel between a part and its parent: `process` in the part, and the child process in the parent. */
export interface Channel {
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
  once(event: "disconnect", listener: () => void): unknown;
  off(event: "disconnect", listener: () => void): unknown;
  send?(message: object | string): unknown;
  readonly connected: boolean;
}
