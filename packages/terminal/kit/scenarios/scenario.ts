import type { RuleNumber } from "../rules.ts";
import type { Scene } from "../scene.ts";

/** A situation that every terminal meets sooner or later. */
export interface Scenario {
  /** The name that `--only` and `--skip` use. */
  readonly name: string;
  readonly does: string;
  readonly rules: readonly RuleNumber[];
  /** The minor digits of its amounts, which select how the card or the customer behaves. */
  readonly digits: readonly string[];
  /** The ability that it tests. Without that name in `can`, a terminal skips it. */
  readonly needs?: string;
  play(scene: Scene): Promise<void>;
}
