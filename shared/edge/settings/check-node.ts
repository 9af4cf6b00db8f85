import { WrongSettings } from "../../ports/wrong-settings.ts";

/**
 * Throws `WrongSettings` if the running Node is older than `oldest`, which is `<major>.<minor>`. The version is not a setting, but is
 * reported like one. No host compares it, and each request would be a 500.
 */
export function checkNode(running: string, oldest: string): void {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new WrongSettings([{ setting: "node", reason: `${running} is older than ${oldest}` }]);
}
