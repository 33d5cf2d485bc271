// The page: what is on every screen, and the screen that the address asks for.

import "chessground/assets/chessground.base.css";
import "chessground/assets/chessground.cburnett.css";
import "./style/theme.css";
import "./style/controls.css";
import "./style/squares.css";
import "./style/layout.css";
import { frame } from "./frame.ts";
import { start } from "./router.ts";
import { applyTheme } from "./settings.ts";

applyTheme();
const app = document.getElementById("app");
if (!app) throw new Error("the page has no #app");
start(frame(app));
