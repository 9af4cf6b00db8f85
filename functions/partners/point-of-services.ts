import { partner } from "../../shared/edge/auth/authenticate.ts";
import { canonical } from "../../shared/contracts/identifier.ts";
import {
  pointOfServiceListObject,
  pointOfServiceListQuery,
  terminalsOfPage,
  toPointOfServiceList,
} from "../../shared/contracts/objects/point-of-service-list.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { respond } from "../../shared/edge/http/response.ts";
import { listTerminals, type ListTerminalsDeps } from "../../shared/use-cases/terminals/list-terminals.ts";

export const pointOfServices = defineEndpoint({
  auth: partner("terminals", "reports"),
  name: "point-of-services",
  method: "GET",
  isRead: true,
  route: "pointOfServices",
  summary: "List Terminals",
  description:
    "Lists your terminals, page by page, each with its status, its merchant and its device. Retired terminals are left out.",
  parameters: { query: pointOfServiceListQuery },
  readsList: true,
  successes: { 200: success("A page of terminals.", pointOfServiceListObject) },
  handle: async (deps: ListTerminalsDeps, call) => {
    const { merchantID, statusCode, after } = call.parameters;
    const query = { merchantId: merchantID && canonical(merchantID), status: statusCode };
    const page = { limit: terminalsOfPage(call.parameters), after: after && canonical(after) };
    return respond(200, toPointOfServiceList(await listTerminals(deps, call, query, page)));
  },
});
