import { render } from "preact";
import { App } from "./app.tsx";

const place = document.querySelector("#page");
if (place) render(<App />, place);
