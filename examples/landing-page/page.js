// Sends the form without leaving the page. Without this script the browser sends it, and shows the same answer.

/** The element that gets the focus next: an invalid field, the message about the whole form, or the heading. */
const placeToGoOn = (main) =>
  main.querySelector("[autofocus]") ?? main.querySelector("[role=alert]:not([hidden])") ?? main.querySelector("h1");

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
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    const main = next.querySelector("main");
    document.title = next.title;
    const place = placeToGoOn(main);
    place.autofocus = false; // the browser has its own rules for a field that comes later
    document.querySelector("main").replaceWith(main);
    place.focus();
  } catch {
    offline.textContent = offline.dataset.offline;
    offline.hidden = false;
    pressed.textContent = words;
    form.ariaBusy = "false";
  }
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.ariaBusy !== "true") void send(event.target, event.submitter);
});
