// The mail sink as its own process: `node packages/workbench/stack/mail-sink/mail-sink.ts --smtp-port 1025 --port 8025`. With `--keep <file>` the mails
// outlive it.
import { numberIn, readOptions } from "../../../local-azure/common/options.ts";
import { publisher } from "../../../local-azure/common/publish.ts";
import { keptMails } from "./kept-mails.ts";
import { startMailSink, type CaughtMail } from "./sink.ts";

const options = {
  "smtp-port": { type: "string", default: "1025" },
  port: { type: "string", default: "8025" },
  keep: { type: "string" },
} as const;

const { smtpPort, port, file } = readOptions("mail-sink", { options }, ({ values }) => ({
  smtpPort: numberIn("--smtp-port", values["smtp-port"]),
  port: numberIn("--port", values.port),
  file: values.keep,
}));
const { mails: earlier, keep } = file === undefined ? { mails: [], keep: () => {} } : keptMails(file);
const { publish } = publisher<CaughtMail>("mail", (publish) => earlier.forEach(publish));
const sink = await startMailSink({
  smtpPort,
  port,
  earlier,
  caught(mail) {
    keep(mail);
    publish(mail);
  },
});

const stop = () => void sink.close().then(() => process.exit(0));
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
process.once("disconnect", stop); // the parent's stop: a signal would not let it drain on Windows

console.log(JSON.stringify({ ready: true, port: sink.port, smtpPort: sink.smtpPort }));
