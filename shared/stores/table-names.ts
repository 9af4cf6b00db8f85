/** The tables, as deployment creates them. */
export const tableNames = {
  terminals: "Terminals",
  sessions: "Sessions",
  orders: "Orders",
  days: "Days",
  actionRequests: "ActionRequests",
  partners: "Partners",
  landingPages: "LandingPages",
  accessTokens: "AccessTokens",
  accessTokenTemplates: "AccessTokenTemplates",
  alerts: "Alerts",
  bells: "Bells",
  feeds: "Feeds",
} as const;
