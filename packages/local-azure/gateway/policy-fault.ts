/** A position in a policy file. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** The secret named values that were filled in there. */
  readonly secrets?: readonly string[];
}

/**
 * A policy that this gateway does not support, or that Azure would not accept. It stops the start and names file and line. If a secret was
 * filled in at that place, the message gives no details, because a sentence may quote the wrong text.
 */
export class PolicyFault extends Error {
  constructor(place: Place, sentence: string) {
    const secrets = place.secrets ?? [];
    const said = secrets.length === 0 ? sentence : `not understood with the value of the secret ${secrets.join(", ")}.`;
    super(`${place.file}:${place.line}: ${said}`);
    this.name = "PolicyFault";
  }
}
