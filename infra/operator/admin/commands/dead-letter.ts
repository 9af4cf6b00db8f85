import type { QueueName } from "../../../../shared/ports/queues.ts";
import { fromMessage } from "../../../../shared/ports/stored-forms.ts";
import { announcementBody } from "../../../../shared/ports/announcements.ts";
import { bareAlertBody } from "../../../../shared/ports/bare-alerts.ts";
import { cloudOf } from "../../common/cloud.ts";
import { command, type Context, type Given, type Group } from "../command.ts";
import {
  connectDeadLetters,
  MOST_LISTED,
  queueNames,
  type DeadLetter,
  type DeadLetters,
} from "../../common/dead-letter-queues.ts";
import { UsageError } from "../../../tools/script.ts";
import { argument, flag, matching, oneOf, option, plain } from "../words.ts";

const queue = argument("<queue>", "the queue of the dead letter", oneOf(queueNames));
const whichNumber = "its number, as `dead-letter list` shows it";
const number = plain(matching(/^[1-9]\d{0,18}$/, "A sequence number is a whole number, such as 17."));
const oneOrAll = [
  queue,
  argument("[sequenceNumber]", whichNumber, number),
  flag("--all", `every dead letter of the queue, ${MOST_LISTED} at a time`),
];

const list = command({
  name: "list",
  does: "lists the dead letters, the oldest first",
  words: [option("--queue <queue>", "only dead letters of this queue", oneOf(queueNames))],
  columns: ["queue", "sequenceNumber", "enqueuedAt", "reason", "what"],
  examples: ["dead-letter list", "dead-letter list --queue deadlines"],
  async run({ queue }, { connect, note }) {
    const letters = connectDeadLetters(await connect());
    const names = queue === undefined ? queueNames : [queue];
    const found = await Promise.all(names.map((name) => letters.list(name, MOST_LISTED)));
    for (const [i, { length }] of found.entries())
      if (length === MOST_LISTED) note(`${names[i]} has ${MOST_LISTED} dead letters or more; the oldest are shown.`);
    return found.flat().map(shown);
  },
});

const show = command({
  name: "show",
  does: "shows a dead letter: the reason for it, its properties and its body",
  words: [queue, argument("<sequenceNumber>", whichNumber, number)],
  examples: ["dead-letter show deadlines 17"],
  async run({ queue, sequenceNumber }, { connect }) {
    const found = (await connectDeadLetters(await connect()).list(queue, MOST_LISTED)).find(
      (letter) => letter.sequenceNumber === sequenceNumber,
    );
    if (!found) throw new Error(absent(queue, sequenceNumber));
    const { contentType, properties, description, deliveries } = found;
    return { ...shown(found), description, deliveries, contentType, properties, body: bodyText(found) };
  },
});

const replay = command({
  name: "replay",
  does: "sends a dead letter to its queue again, and then removes it; its effect is carried out if the cause of the failure is removed",
  details:
    "The copy is sent first. If the command ends before it removes the dead letter, the message exists twice. This does no harm, because an effect is carried out only once.",
  words: oneOrAll,
  examples: ["dead-letter replay deadlines 17", "dead-letter replay webhook-deliveries --all --yes"],
  writes: true,
  confirms: true,
  async run({ queue, ...named }, { connect, confirm }) {
    const { cloud, letters, meant } = await meantOf({ queue, ...named }, connect);
    if (named.all && meant.length > 0) await confirm(`Send ${counted(meant)} of ${queue} again on ${cloudOf(cloud)}?`);
    const sent = await letters.sendAgain(queue, meant);
    return { queue, sentAgain: sent, summary: outcomeOf("sent again", meant, sent) };
  },
});

const purge = command({
  name: "purge",
  does: "permanently removes a dead letter, or all dead letters of a queue; `repair` can announce their effects again",
  words: oneOrAll,
  examples: ["dead-letter purge deadlines 17", "dead-letter purge mails --all --yes"],
  writes: true,
  confirms: true,
  async run({ queue, ...named }, { connect, confirm }) {
    const { cloud, letters, meant } = await meantOf({ queue, ...named }, connect);
    if (meant.length > 0) await confirm(`Permanently remove ${counted(meant)} of ${queue} on ${cloudOf(cloud)}?`);
    const removed = await letters.remove(queue, meant);
    return { queue, removed, summary: outcomeOf("removed", meant, removed) };
  },
});

export const deadLetter: Group = {
  name: "dead-letter",
  does: "dead letters: messages that failed at every delivery",
  commands: [list, show, replay, purge],
};

/** The dead letters that the words select, and their cloud. Throws `UsageError` before it connects. */
async function meantOf({ queue, sequenceNumber, all }: Given<typeof oneOrAll>, connect: Context["connect"]) {
  if ((sequenceNumber === undefined) !== all) throw new UsageError("Name one dead letter by its number, or use --all.");
  const cloud = await connect();
  const letters = connectDeadLetters(cloud);
  return { cloud, letters, meant: await numbersOf(letters, queue, sequenceNumber) };
}

/** The numbers of the dead letters that exist now. Later dead letters are not included. */
async function numbersOf(
  letters: DeadLetters,
  queue: QueueName,
  sequenceNumber: string | undefined,
): Promise<readonly string[]> {
  const found = (await letters.list(queue, MOST_LISTED)).map((letter) => letter.sequenceNumber);
  if (sequenceNumber === undefined) return found;
  if (!found.includes(sequenceNumber)) throw new Error(absent(queue, sequenceNumber));
  return [sequenceNumber];
}

const absent = (queue: QueueName, sequenceNumber: string): string =>
  `There is no dead letter ${sequenceNumber} among the oldest ${MOST_LISTED} of ${queue}.`;

/** A letter that another receiver has locked cannot be taken until that lock ends. */
function outcomeOf(done: string, meant: readonly string[], taken: readonly string[]): string {
  const left = meant.length - taken.length;
  const rest = left === 0 ? "" : ` ${left} more could not be locked: run it again in a minute`;
  return `${counted(taken)} ${done}.${rest}`.replace(/\.$/, "");
}

const counted = (letters: readonly unknown[]): string =>
  letters.length === 1 ? "1 dead letter" : `${letters.length} dead letters`;

const shown = (letter: DeadLetter) => {
  const { queue, sequenceNumber, enqueuedAt, reason } = letter;
  return { queue, sequenceNumber, enqueuedAt, reason, ...meaningOf(letter) };
};

/** The content of the platform's own message. For any other message, says that it is not of this version. */
function meaningOf(letter: DeadLetter) {
  const body = fromMessage(readJson(bodyText(letter)));
  const announcement = announcementBody.safeParse(body).data;
  if (announcement)
    return { what: announcement.effect, about: announcement.subject, commandID: announcement.commandId };
  const alert = bareAlertBody.safeParse(body).data;
  return alert ? { what: "alert", about: alert } : { what: "not of this version" };
}

const bodyText = ({ body }: DeadLetter): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : JSON.stringify(body);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
