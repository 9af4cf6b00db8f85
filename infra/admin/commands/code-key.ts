import { codeKeyStatus } from "../../../shared/use-cases/vouchers/code-key-status.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables } from "../platform.ts";
import { idOf, rotation } from "../rotating-setting.ts";
import { text } from "../words.ts";

const status = command({
  name: "status",
  does: "lists the code keys: when each last made a code, until when its codes may be good, and until when it must stay in TOKEN_CODE_KEYS",
  examples: ["code-key status"],
  async run(_, { connect }) {
    const cloud = await connect();
    const known = cloud.codeKeys && Object.keys(cloud.codeKeys);
    const used = await codeKeyStatus(connectTables(cloud), known ?? []);
    return used.map(({ codeKeyId, lastUsedOn, codesEndOn, neededUntil }) => ({
      codeKey: codeKeyId,
      setting: known && shownPlace(known.indexOf(codeKeyId)),
      lastUsedOn,
      codesEndOn,
      neededUntil,
    }));
  },
});

const shownPlace = (place: number): string => {
  if (place < 0) return "not in it";
  return place === 0 ? "first: makes new codes" : "knows its own";
};

const rotate = command({
  name: "rotate",
  does: "prints the values that TOKEN_CODE_KEYS takes one after the other to have new codes made by a new key; sets nothing",
  options: { id: text("keyID", "the new key's identifier; made of the moment where left out") },
  examples: ["code-key rotate", "code-key rotate --id autumn --json"],
  as: "records",
  async run({ id }, { connect }) {
    const cloud = await connect();
    const newId = id ?? idOf(clock.now());
    const until = "when `code-key status` has passed the last day for the others, leave them out";
    return rotation({ name: "TOKEN_CODE_KEYS", secrets: cloud.codeKeys, newId, until }, cloud);
  },
});

export const codeKey: Group = {
  name: "code-key",
  does: "the platform's own keys, from which the codes of vouchers and keys are derived",
  commands: [status, rotate],
};
