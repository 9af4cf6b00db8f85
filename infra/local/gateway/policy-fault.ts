/** A position in a policy file. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** What this gateway does not support or Azure would not accept. It stops start-up and names file and line. */
export class PolicyFault extends Error {
  constructor(place: Place, sentence: string) {
    super(`${place.file}:${place.line}: ${sentence}`);
    this.name = "PolicyFault";
  }
}
