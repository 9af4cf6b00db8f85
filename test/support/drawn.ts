export { drawnWith, fc } from "../../packages/local-azure/common/test/drawn.ts";
