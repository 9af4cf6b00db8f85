import { render } from "preact";
import { App } from "./app.tsx";
import { connect } from "./store.ts";

connect();
const place = document.querySelector("#page");
if (place) render(<App />, place);
