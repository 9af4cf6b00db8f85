/** The options of `npm start`. */
export interface StartWords {
  /** Free ports, with new identifiers and keys. If left out, all are the fixed ones. */
  readonly ports?: "free";
  /** Tables, mails and the memories of terminals outlive the stack, in this folder. `true` means the usual folder. */
  readonly keep?: true | string;
  /** Removes the kept data first. */
  readonly fresh?: boolean;
  /** Each queue's function has a host of its own. */
  readonly scaleGroups?: boolean;
  /** A saved source file of the app takes effect at once. */
  readonly watch?: boolean;
  /** The port of the app's host for debuggers. `true` means the usual port. */
  readonly inspect?: number | true;
  /** Another address of this machine for the gateway and the pages. */
  readonly host?: string;
  /** The gateway's address for people on other machines. Its name is also that of the pages. */
  readonly publicUrl?: URL;
  /** Prints every address and key. */
  readonly details?: boolean;
  /** Shows every line of the app's log, not only the steps of payments. */
  readonly everyLine?: boolean;
  readonly quiet?: boolean;
  /** Whether to offer the live page to a user at a terminal. */
  readonly open: boolean;
}
