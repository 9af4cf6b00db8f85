/** The tables, as deployment creates them. */
export const tableNames = {
  payments: "Payments",
  terminals: "Terminals",
  orders: "Orders",
  partners: "Partners",
} as const;
