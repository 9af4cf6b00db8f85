/** The tables, as deployment creates them. */
export const tableNames = {
  payments: "Payments",
  terminals: "Terminals",
  orders: "Orders",
  bookings: "Bookings",
  actionRequests: "ActionRequests",
  partners: "Partners",
  landingPages: "LandingPages",
  accessTokens: "AccessTokens",
  accessTokenTemplates: "AccessTokenTemplates",
  alerts: "Alerts",
  listings: "Listings",
  terminalDays: "TerminalDays",
  bells: "Bells",
  feeds: "Feeds",
} as const;
