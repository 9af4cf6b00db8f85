// Loaded into every part of the local cloud before its own script. A part that is asked to stop lets finish what runs, which may take half a
// minute; a part whose parent died, killed or crashed, has nobody left to work for and must not outlive it by more than a moment.

const GRACE_MS = 2_000;

let isAsked = false;
process.on("message", (message) => {
  if (message === "stop") isAsked = true;
});
process.channel?.unref(); // to listen for that is no reason to stay

const end = () => {
  if (!isAsked) setTimeout(() => process.exit(1), GRACE_MS).unref();
};
process.once("disconnect", end);
if (!process.connected) end(); // it died before this was loaded
