// Sends the form without leaving the page. Without this script the browser sends it, and shows the same answer.

/** The element that gets the focus next: an invalid field, the message about the whole form, or the heading. */
const placeToGoOn = (main) =>
  main.querySelector("[autofocus]") ?? main.querySelector("[role=alert]:not([hidden])") ?? main.querySelector("h1");

/** Replaces the page's content with an answer. An address that the answer does not know stays in its field. */
function show(text, address = "") {
  const next = new DOMParser().parseFromString(text, "text/html");
  const main = next.querySelector("main");
  document.title = next.title;
  const email = main.querySelector("#email");
  if (email) email.value ||= address;
  const place = placeToGoOn(main);
  place.autofocus = false; // the browser has its own rules for a field that comes later
  document.querySelector("main").replaceWith(main);
  place.focus();
  void follow(main);
}

/** Replaces the form with the answer. If no answer arrives, the form stays. */
async function send(form, pressed) {
  const words = pressed.textContent;
  const offline = form.querySelector("[data-offline]");
  offline.hidden = true;
  form.ariaBusy = "true";
  pressed.textContent = pressed.dataset.sending;
  try {
    const body = new URLSearchParams(new FormData(form, pressed));
    const response = await fetch(form.action, { method: "POST", body });
    show(await response.text());
  } catch {
    offline.textContent = offline.dataset.offline;
    offline.hidden = false;
    pressed.textContent = words;
    form.ariaBusy = "false";
  }
}

/** The seconds before each question whether the mail failed. They are the same for every address, so they tell a stranger nothing. */
const pauses = [1, 2, 4, 8, 16, 32];
/** The statuses of an answer that the mail failed. */
const failed = [409, 422];

/** Shows if the mail of a request failed. Without news, and without a connection, the page stays. */
async function follow(main) {
  const path = main.querySelector("[data-follow]")?.dataset.follow;
  for (const seconds of path === undefined ? [] : pauses) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const response = await fetch(path).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (!main.isConnected) return;
    if (text && failed.includes(response.status)) return show(text, main.querySelector(".address").textContent);
  }
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.ariaBusy !== "true") void send(event.target, event.submitter);
});
void follow(document.querySelector("main"));
