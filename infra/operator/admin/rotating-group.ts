import type { TablePorts } from "../../../shared/stores/stores.ts";
import type { Cloud } from "../common/cloud.ts";
import { command, type Group } from "./command.ts";
import { clock, connectTables } from "../common/platform.ts";
import { idOf, rotation, type RotatingSetting } from "./rotating-setting.ts";
import { option, text } from "./words.ts";

/** A setting with several secrets by identifier, for an operator who inspects it and replaces its first secret. */
interface RotatingGroup extends Pick<Group, "name" | "does"> {
  readonly setting: RotatingSetting["name"];
  /** The secrets of the setting, if they are known. */
  readonly secretsOf: (cloud: Cloud) => RotatingSetting["secrets"];
  /** The word for one secret in results. */
  readonly member: string;
  readonly status: {
    readonly does: string;
    /** The meaning of each place: the first secret, another secret, and a missing secret that rows still name. */
    readonly places: { readonly first: string; readonly other: string; readonly absent: string };
    /** The known secrets, and those that only rows name, with their further columns. */
    readonly list: (
      ports: TablePorts,
      known: readonly string[],
    ) => Promise<readonly { readonly id: string; readonly shown: object }[]>;
  };
  readonly rotate: {
    readonly does: string;
    /** The words for one secret in the help. */
    readonly of: string;
    /** When the old secrets may be removed. */
    readonly until: string;
  };
}

/** The commands `status` and `rotate` of such a setting. */
export function rotatingGroup({ name, does, setting, secretsOf, member, ...commands }: RotatingGroup): Group {
  const { places, list } = commands.status;
  const place = (at: number): string => {
    if (at < 0) return places.absent;
    return at === 0 ? places.first : places.other;
  };
  const status = command({
    name: "status",
    does: commands.status.does,
    examples: [`${name} status`],
    async run(_, { connect }) {
      const cloud = await connect();
      const secrets = secretsOf(cloud);
      const known = secrets && Object.keys(secrets);
      const listed = await list(connectTables(cloud), known ?? []);
      return listed.map(({ id, shown }) => ({ [member]: id, setting: known && place(known.indexOf(id)), ...shown }));
    },
  });
  const { of, until } = commands.rotate;
  const rotate = command({
    name: "rotate",
    does: commands.rotate.does,
    words: [option(`--id <${of}ID>`, `the new ${of}'s identifier; default: made of the current time`, text)],
    examples: [`${name} rotate`, `${name} rotate --id autumn --json`],
    as: "records",
    async run({ id }, { connect }) {
      const cloud = await connect();
      return rotation({ name: setting, secrets: secretsOf(cloud), newId: id ?? idOf(clock.now()), until }, cloud);
    },
  });
  return { name, does, commands: [status, rotate] };
}
