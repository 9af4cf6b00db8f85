/** A setting that keeps the app from starting. */
export interface WrongSetting {
  /** Its name, without any part of its value. A member of a secret may be a secret too. */
  readonly setting: string;
  /** The problem, for an operator. It holds no part of the value. */
  readonly reason: string;
}

/** The reason for a setting that is absent or empty. */
export const IS_MISSING = "is missing";

/** The app cannot start as it is configured. The message names each wrong setting, and no value. */
export class WrongSettings extends Error {
  override readonly name = "WrongSettings";
  readonly wrong: readonly WrongSetting[];

  constructor(wrong: readonly WrongSetting[]) {
    const all = wrong.map(({ setting, reason }) => `${setting}: ${reason}`).join("; ");
    super(`The app cannot start, these settings are missing or wrong: ${all}`);
    this.wrong = wrong;
  }
}
