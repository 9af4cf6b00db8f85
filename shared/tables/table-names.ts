/** The tables, as deployment creates them. */
export const tableNames = {
  payments: "Payments",
  terminals: "Terminals",
  orders: "Orders",
  actionRequests: "ActionRequests",
  partners: "Partners",
  landingPages: "LandingPages",
  accessTokens: "AccessTokens",
  accessTokenTemplates: "AccessTokenTemplates",
  alerts: "Alerts",
  listings: "Listings",
  bells: "Bells",
} as const;
