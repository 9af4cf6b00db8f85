/** The identifiers in the documentation's examples. The local reference page replaces them with those of the running demo. */
export const sampleIds = {
  sessionID: "5f0c1f5e-8f4f-4c0e-9a56-0d2f6f1b7a01",
  requestID: "8d0a4c52-1f0d-4c37-b1d8-6a4f7c3e9b02",
  merchantID: "2c8a7b64-9d31-4e5f-8b06-7f2d1a3c5e03",
  pointOfServiceID: "b7e3d9a1-42c6-4f8e-a5d0-3c9b8f1e6d04",
  orderId: "e1f6a3c8-75b2-4d9e-8c41-9a0d5b7f2e05",
  paymentId: "a94b2d7f-0c5e-4a63-9f18-4e7c6d8b1f06",
  refundID: "c3d5e7f9-1a2b-4c4d-8e6f-7a8b9c0d1e07",
  discountID: "d6f8a0b2-3c4e-4f60-9172-8b9c0d1e2f08",
  actionRequestID: "f7a9b1c3-5d6e-4071-8293-9c0d1e2f3a09",
  accessTokenID: "0b1c2d3e-4f50-4162-8374-a5b6c7d8e90a",
  landingPageID: "1c2d3e4f-5061-4273-9485-b6c7d8e9fa0b",
  productID: "2d3e4f50-6172-4384-8596-c7d8e9fa0b0c",
  templateAccessTokenID: "3e4f5061-7283-4495-96a7-d8e9fa0b1c0d",
  messageID: "4f506172-8394-45a6-97b8-e9fa0b1c2d0e",
  reportID: "50617283-94a5-46b7-88c9-fa0b1c2d3e0f",
  closingID: "728394a5-b6c7-48d9-8aeb-1c2d3e4f5012",
  chargeID: "61728394-a5b6-47c8-89da-0b1c2d3e4f10",
} as const;

/** The address of the problem page in the documentation's examples. The local reference page replaces it with its own. */
export const sampleProblemPages = "https://docs.example.com/problems";

/** The last part of the sample events' identifiers. Requests do not use it. */
export const commandID = "8394a5b6-c7d8-49ea-8bfc-2d3e4f506172";
