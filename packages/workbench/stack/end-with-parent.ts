// Loaded into every part of the local cloud before its own script. A part that receives `stop` finishes its running work, which may take
// half a minute. If its parent was killed or crashed, the part has no more work to do and ends within two seconds.

const GRACE_MS = 2_000;
/** The parent kills a stopping part after 35 s. If the parent has died by then, the part ends itself. */
const STOPPING_MS = 36_000;

let isStopping = false;
process.on("message", (message) => {
  if (message === "stop") isStopping = true;
});
process.channel?.unref(); // the listener must not keep the process

const end = () => {
  setTimeout(() => process.exit(1), isStopping ? STOPPING_MS : GRACE_MS).unref();
};
process.once("disconnect", end);
if (!process.connected) end(); // the parent died before this file was loaded
