import type { TablePorts } from "../../../shared/stores/stores.ts";
import type { Cloud } from "../common/cloud.ts";
import { command, type Group } from "./command.ts";
import { clock, connectTables } from "../common/platform.ts";
import { idOf, rotation, type RotatingSetting } from "./rotating-setting.ts";
import { option, text } from "./words.ts";

/** A setting of several secrets by their identifiers, for an operator who looks at it and replaces its first secret. */
interface RotatingGroup extends Pick<Group, "name" | "does"> {
  readonly setting: RotatingSetting["name"];
  /** The setting's secrets, where they are known. */
  readonly secretsOf: (cloud: Cloud) => RotatingSetting["secrets"];
  /** What one secret is called in results. */
  readonly member: string;
  readonly status: {
    readonly does: string;
    /** What the setting does with its first secret, with another one, and what follows where it lacks one that rows name. */
    readonly places: { readonly first: string; readonly other: string; readonly absent: string };
    /** These secrets, and those that only rows name, with what else is shown of each. */
    readonly list: (
      ports: TablePorts,
      known: readonly string[],
    ) => Promise<readonly { readonly id: string; readonly shown: object }[]>;
  };
  readonly rotate: {
    readonly does: string;
    /** What the help calls one secret. */
    readonly of: string;
    /** When the old secrets may leave. */
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
    words: [option(`--id <${of}ID>`, `the new ${of}'s identifier; made of the moment where left out`, text)],
    examples: [`${name} rotate`, `${name} rotate --id autumn --json`],
    as: "records",
    async run({ id }, { connect }) {
      const cloud = await connect();
      return rotation({ name: setting, secrets: secretsOf(cloud), newId: id ?? idOf(clock.now()), until }, cloud);
    },
  });
  return { name, does, commands: [status, rotate] };
}
