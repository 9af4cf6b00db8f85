/** A position in a policy file. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** The secret named values that were filled in there. */
  readonly secrets?: readonly string[];
}

/**
 * What this gateway does not support or Azure would not accept. It stops start-up and names file and line. Where a secret was filled in it
 * says no more than that, because a sentence may quote what is wrong.
 */
export class PolicyFault extends Error {
  constructor(place: Place, sentence: string) {
    const secrets = place.secrets ?? [];
    const said = secrets.length === 0 ? sentence : `not understood with the value of the secret ${secrets.join(", ")}.`;
    super(`${place.file}:${place.line}: ${said}`);
    this.name = "PolicyFault";
  }
}
