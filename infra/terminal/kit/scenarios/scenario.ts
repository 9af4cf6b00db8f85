import type { RuleNumber } from "../rules.ts";
import type { Scene } from "../scene.ts";

/** A situation that every terminal meets sooner or later. */
export interface Scenario {
  /** By which `--only` and `--skip` select it. */
  readonly name: string;
  readonly does: string;
  readonly rules: readonly RuleNumber[];
  /** The minor digits of the amounts by which it asks for a behaviour of the card or the customer. */
  readonly digits: readonly string[];
  play(scene: Scene): Promise<void>;
}
